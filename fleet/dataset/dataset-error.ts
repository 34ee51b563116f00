import type { Failure, Outcome } from '#shared/contract/failure.ts'
import { ThreadTrouble } from '../threads/thread-trouble.ts'

type DatasetFailure = Extract<Failure, { at: 'dataset' }>

/** Carries a failure up to the seam of this folder, where `outcomeOf` turns it into a value. */
export class DatasetError extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(`${failure.at}/${failure.reason}: ${failure.detail}`, options)
    this.name = 'DatasetError'
    this.failure = failure
  }
}

/** A `dataset/...` failure to throw. Final unless `retryable` says otherwise. */
export function datasetError(
  reason: DatasetFailure['reason'],
  detail: string,
  more: { retryable?: boolean; status?: number | null; cause?: unknown } = {},
): DatasetError {
  const { retryable = false, status = null, cause } = more
  return new DatasetError({ at: 'dataset', reason, retryable, status, detail: detail.slice(0, 2000) }, { cause })
}

/** Runs `open` and returns its value, or the failure it threw; trouble of files or threads is a failure too, anything else is a bug and goes on up. */
export async function outcomeOf<T>(open: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await open() }
  } catch (error) {
    if (error instanceof DatasetError) return { ok: false, failure: error.failure }
    if (error instanceof ThreadTrouble) return { ok: false, failure: threadFailure(error) }
    const code = systemCode(error)
    if (code === undefined) throw error
    return { ok: false, failure: fileFailure(code, error as Error) }
  }
}

/** The other way round: the value of an outcome, or its failure thrown. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new DatasetError(outcome.failure)
  return outcome.value
}

/** Nothing is known against the data: another agent, or this one with more memory, may open it. */
function threadFailure({ message }: ThreadTrouble): Failure {
  const detail = `A thread of this agent could not open the data: ${message}`.slice(0, 2000)
  return { at: 'agent', reason: 'error', retryable: true, status: null, detail }
}

function fileFailure(code: string, error: Error): Failure {
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  if (full)
    return {
      at: 'agent',
      reason: 'disk-full',
      retryable: true,
      status: null,
      detail: `the disk of the data cache is full: ${error.message}`,
    }
  return datasetError('unavailable', `a data file cannot be read or written (${code}): ${error.message}`).failure
}

/** `ENOENT`, `EACCES` … of an error of node's file system; undefined for every other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
