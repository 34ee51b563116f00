import type { Failure } from '#shared/contract/failure.ts'

/** What was thrown while an agent did something, a run made ready unless said otherwise, and nobody foresaw: whoever waits for it is told. */
export function unforeseen(error: unknown, doing = 'make the run ready'): Failure {
  const detail = `This agent could not ${doing}: ${error instanceof Error ? error.message : error}`.slice(0, 2000)
  return { at: 'agent', reason: 'error', retryable: true, status: null, detail }
}
