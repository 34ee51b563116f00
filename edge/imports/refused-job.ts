import type { JobProblem } from '#shared/harbor/read-job.ts'
import { Problem } from '../problem.ts'

/** Most things that are wrong of which each is told. */
const mostTold = 50

/** The refusal of an archive that holds no job that could be imported; each thing that is wrong by its entry. */
export function refusedJob(wrong: readonly JobProblem[], cause?: unknown): Problem {
  const told = wrong.slice(0, mostTold).map(({ entry, text }) => (entry === '' ? text : `${entry}: ${text}`))
  const more = wrong.length > mostTold ? ` (and ${wrong.length - mostTold} more)` : ''
  return new Problem('validation', `The archive holds no job of Harbor that can be imported. ${told[0]}${more}`, {
    errors: told.map((message) => ({ pointer: '/file', message })),
    ...(cause !== undefined && { cause }),
  })
}
