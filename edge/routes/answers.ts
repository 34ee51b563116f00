import type * as z from 'zod'
import { ProblemBody, type ProblemCode, problems } from '#shared/contract/problem.ts'

const problemContent = { 'application/problem+json': { schema: ProblemBody } }

/** A declared JSON answer. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

/** A required JSON body; the example is what documents show and offer to copy. */
export function jsonBody<S extends z.ZodType>(schema: S, example?: z.input<S>) {
  return { body: { required: true, content: { 'application/json': { schema, ...(example !== undefined && { example }) } } } }
}

type Answer = { description: string; content: typeof problemContent }

/** The declared problem answers of a route by status; problems that share a status are named together. */
export function refusals<C extends ProblemCode>(...codes: C[]): Record<(typeof problems)[C]['status'], Answer> {
  const byStatus: Record<number, Answer> = {}
  for (const code of codes) {
    const { status, title } = problems[code]
    const before = byStatus[status]
    byStatus[status] = { description: before ? `${before.description}; ${title} (${code})` : `${title} (${code})`, content: problemContent }
  }
  return byStatus as Record<(typeof problems)[C]['status'], Answer> // one entry for the status of every code given
}
