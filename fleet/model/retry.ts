import type { Failure } from '#shared/contract/failure.ts'
import { type CallLimits, defaultLimits } from '#shared/contract/limits.ts'
import { longestWaitMs } from './retry-after.ts'

export type RetryPolicy = Pick<CallLimits, 'attempts' | 'timeouts' | 'patience_ms'> & {
  /** Calls without reported usage after which no call is repeated. */
  untold: number
  base_ms: number
  longest_backoff_ms: number
}

/** The policy of a trial with these limits: by default five attempts, two of which may run into a time limit, or ten minutes. */
export const retryPolicy = ({ attempts, timeouts, patience_ms, untold_attempts }: CallLimits): RetryPolicy => ({
  attempts,
  timeouts,
  patience_ms,
  untold: untold_attempts ?? Number.POSITIVE_INFINITY,
  base_ms: 1000,
  longest_backoff_ms: 60_000,
})
export const defaultRetryPolicy: RetryPolicy = retryPolicy(defaultLimits)

const timeoutReasons = ['connect-timeout', 'first-token-timeout', 'idle-timeout', 'total-timeout']

/** Whether a call ran into one of our own time limits, which it then used up; a gateway that says 504 has answered. */
export function ranOut({ reason, status }: Pick<Failure, 'reason' | 'status'>): boolean {
  return status === null && timeoutReasons.includes(reason)
}

export type RetryStep = { type: 'wait'; wait_ms: number } | { type: 'give-up' }

/**
 * Decides the next step after a failed attempt. `soFar` counts attempts, time limits that were met
 * and attempts without reported usage, this attempt included; `elapsedMs` runs
 * since the first was sent, `random` is in [0, 1). Waits double with half of them left to chance; a wait the provider asked for is never cut short, only capped at ten minutes.
 * Answers never come here: whatever a model answered is not asked again.
 */
export function nextStep(
  failure: Pick<Failure, 'retryable'>,
  soFar: { attempts: number; timeouts: number; untold?: number },
  elapsedMs: number,
  askedWaitMs: number | null,
  random: number,
  policy: RetryPolicy = defaultRetryPolicy,
): RetryStep {
  const { attempts, timeouts, untold = 0 } = soFar
  const over = attempts >= policy.attempts || timeouts >= policy.timeouts || untold >= policy.untold || elapsedMs >= policy.patience_ms
  if (!failure.retryable || over) return { type: 'give-up' }
  const ceiling = Math.min(policy.longest_backoff_ms, policy.base_ms * 2 ** (attempts - 1))
  const backoff = ceiling * (0.5 + random / 2)
  if (askedWaitMs === null) return { type: 'wait', wait_ms: backoff }
  // Jitter only upwards: all trials were told the same moment, and none may come before it.
  const asked = Math.min(Math.max(0, askedWaitMs), longestWaitMs)
  return { type: 'wait', wait_ms: asked + Math.min(backoff, asked * 0.1 + policy.base_ms) * random }
}
