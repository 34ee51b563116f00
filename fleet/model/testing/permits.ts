import type { ProviderReason } from '#shared/contract/failure.ts'
import type { AdaptiveLimiter, Permit } from '../adaptive-limiter.ts'

export const ended = (reason: ProviderReason | null, retry_after_ms: number | null = null) => ({ reason, retry_after_ms, canceled: false })

/** A permit that is there at once. */
export async function take(limiter: AdaptiveLimiter): Promise<Permit> {
  const permit = await limiter.acquire(null, 0)
  if (permit === 'circuit-open') throw new Error('circuit open')
  return permit
}
