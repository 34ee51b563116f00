import type { Failure } from '#shared/contract/failure.ts'

/** An artifact that could not be kept, and whether another attempt at its trial may keep it. */
export function storeFailure(
  reason: Extract<Failure, { at: 'store' }>['reason'],
  retryable: boolean,
  detail: string,
  status: number | null = null,
): { ok: false; failure: Failure } {
  return { ok: false, failure: { at: 'store', reason, retryable, status, detail } }
}
