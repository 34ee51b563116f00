import * as z from 'zod'
import type { Instruction } from '../scorers/instructions/check.ts'
import { IntegerCell } from './parse-rows.ts'

/** A prompt with instructions that a program can check; the lists of ids and of kwargs are aligned by place. */
export type InstructionRecord = { key: string; prompt: string; instructions: Instruction[] }

/** Parquet readers give a bigint or a float for an integer, and null for every key of other instructions. */
function cleaned(kwargs: Record<string, unknown> | null): Record<string, unknown> {
  const known = Object.entries(kwargs ?? {}).filter(([, value]) => value !== null)
  return Object.fromEntries(known.map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]))
}

/**
 * The rows of a data set of instructions. `kwargs` holds a schema per id: a row with an id that is not there, or with arguments that its
 * schema refuses, does not fit, because an instruction that nobody can check would be followed by every answer.
 */
export function instructionRecord(kwargs: Readonly<Record<string, z.ZodType>>): z.ZodType<InstructionRecord> {
  return z
    .object({
      key: z.union([IntegerCell, z.string()]).transform(String),
      prompt: z.string().min(1),
      instruction_id_list: z.array(z.string()).min(1),
      kwargs: z.array(z.record(z.string(), z.unknown()).nullable()),
    })
    .transform((row, context): InstructionRecord => {
      const refuse = (path: (string | number)[], message: string) => void context.addIssue({ code: 'custom', path, message })
      if (row.kwargs.length !== row.instruction_id_list.length) refuse(['kwargs'], 'has another length than instruction_id_list')
      const instructions = row.instruction_id_list.map((id, place): Instruction => {
        const schema = Object.hasOwn(kwargs, id) ? kwargs[id] : undefined
        if (!schema) refuse(['instruction_id_list', place], `there is no check "${id}"`)
        const parsed = schema?.safeParse(cleaned(row.kwargs[place] ?? null))
        if (parsed?.success === false) refuse(['kwargs', place], `${id}: ${z.prettifyError(parsed.error)}`)
        return { id, kwargs: (parsed?.data ?? {}) as Instruction['kwargs'] }
      })
      return { key: row.key, prompt: row.prompt, instructions }
    })
}
