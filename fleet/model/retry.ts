import type { Failure } from '#shared/contract/failure.ts'
import { longestWaitMs } from './retry-after.ts'

export type RetryPolicy = { attempts: number; total_ms: number; base_ms: number; longest_backoff_ms: number }

/** Five attempts or ten minutes a trial, whichever ends first (design 5). */
export const defaultRetryPolicy: RetryPolicy = { attempts: 5, total_ms: 600_000, base_ms: 1000, longest_backoff_ms: 60_000 }

export type RetryStep = { type: 'wait'; wait_ms: number } | { type: 'give-up' }

/**
 * What to do after a failed attempt. `attemptsSoFar` counts the failed one, `elapsedMs` runs since the first was sent, `random` is in
 * [0, 1). Waits double with half of them left to chance; a wait the provider asked for is never cut short, only capped at ten minutes.
 * Answers never come here: whatever a model answered is not asked again.
 */
export function nextStep(
  failure: Pick<Failure, 'retryable'>,
  attemptsSoFar: number,
  elapsedMs: number,
  askedWaitMs: number | null,
  random: number,
  policy: RetryPolicy = defaultRetryPolicy,
): RetryStep {
  if (!failure.retryable || attemptsSoFar >= policy.attempts || elapsedMs >= policy.total_ms) return { type: 'give-up' }
  const ceiling = Math.min(policy.longest_backoff_ms, policy.base_ms * 2 ** (attemptsSoFar - 1))
  const backoff = ceiling * (0.5 + random / 2)
  if (askedWaitMs === null) return { type: 'wait', wait_ms: backoff }
  // Jitter only upwards: all trials were told the same moment, and none may come before it.
  const asked = Math.min(Math.max(0, askedWaitMs), longestWaitMs)
  return { type: 'wait', wait_ms: asked + Math.min(backoff, asked * 0.1 + policy.base_ms) * random }
}
