import * as z from 'zod'
import { type Dialect, framings, plainDialect, type Rendered, renderDialect, repeats } from '#fleet/model/testing/dialect.ts'
import {
  errorForms,
  finishForms,
  heartbeats,
  reasoningForms,
  textForms,
  toolForms,
  trailings,
  usageForms,
} from '#fleet/model/testing/dialect-columns.ts'
import type { Reply } from './reply.ts'

const rowOf = (table: object) => z.enum(Object.keys(table) as [string, ...string[]]) // every column has rows

/** The columns in which a server differs from OpenAI's own, each by the name of its row; those that are left out are as there. */
export const DialectChoice = z
  .strictObject({
    reasoning: rowOf(reasoningForms),
    text: rowOf(textForms),
    tools: rowOf(toolForms),
    usage: rowOf(usageForms),
    finish: z.string(),
    repeat: z.enum(repeats),
    framing: z.enum(framings),
    heartbeat: rowOf(heartbeats),
    trailing: rowOf(trailings),
    error: rowOf(errorForms).nullable(),
  })
  .partial()
export type DialectChoice = z.infer<typeof DialectChoice>

/** The rows of every column, for the help of the simulator. */
export const dialectRows: Record<keyof Dialect, readonly string[]> = {
  reasoning: Object.keys(reasoningForms),
  text: Object.keys(textForms),
  tools: Object.keys(toolForms),
  usage: Object.keys(usageForms),
  finish: finishForms.map(({ spelled }) => spelled),
  repeat: repeats,
  framing: framings,
  heartbeat: Object.keys(heartbeats),
  trailing: Object.keys(trailings),
  error: Object.keys(errorForms),
}

/** Puts a reply of the simulated model into a dialect. */
export function dialectReply(reply: Reply, tokens: { input: number; output: number }, choice: DialectChoice): Rendered {
  const dialect = { ...plainDialect, ...(reply.finish_reason && { finish: reply.finish_reason }), ...choice } as Dialect // rows were checked by name
  const { text, reasoning = '', calls = [] } = reply
  return renderDialect({ text, reasoning, calls, usage: { ...tokens, cached: 0 } }, dialect)
}
