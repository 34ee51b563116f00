import type { Failure } from '#shared/contract/failure.ts'

/** What was thrown while a run was made ready, and nobody foresaw: the run says so and waits. */
export function unforeseen(error: unknown): Failure {
  const detail = `This agent could not make the run ready: ${error instanceof Error ? error.message : error}`.slice(0, 2000)
  return { at: 'agent', reason: 'error', retryable: true, status: null, detail }
}
