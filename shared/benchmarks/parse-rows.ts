import * as z from 'zod'
import { BadRecord, type DataRows } from './task.ts'

/** The rows of a role as records, or `BadRecord` for the first that does not fit (or when there are none). */
export function parseRows<T>(rows: DataRows, role: string, record: z.ZodType<T>): T[] {
  const found = rows[role]
  if (!found?.length) throw new BadRecord(role, 0, 'there are no rows of this role')
  return found.map((row, index) => {
    const parsed = record.safeParse(row)
    if (!parsed.success) throw new BadRecord(role, index, z.prettifyError(parsed.error), { cause: parsed.error })
    return parsed.data
  })
}

/** An integer column: Parquet readers give a bigint, JSON lines give a number. */
export const IntegerCell = z.union([z.int(), z.bigint()])

/** An official text of the profile by its pin id; the fetcher has put it there, so its absence is a programming error. */
export function textOf(texts: Record<string, string>, id: string): string {
  const text = texts[id]
  if (text === undefined) throw new Error(`the official text "${id}" is not there`)
  return text
}
