import type { ProviderReason } from '#shared/contract/failure.ts'

/** Closed: all may pass. Open: nobody until `until_ms`. Half-open: one probe is out and decides. */
export type Breaker =
  | { state: 'closed'; failures: number }
  | { state: 'open'; until_ms: number; opened: number }
  | { state: 'half-open'; opened: number }

export const closedBreaker: Breaker = { state: 'closed', failures: 0 }

/** Consecutive failures that open the breaker, and how long it stays open before a probe: 2 s, doubling to 10 s. */
export const breakerPolicy = { failures: 20, first_open_ms: 2000, longest_open_ms: 10_000 }

const sick: readonly ProviderReason[] = [
  'server-error',
  'overloaded',
  'connect-timeout',
  'first-token-timeout',
  'idle-timeout',
  'total-timeout',
  'connection',
  'cut-stream',
  'bad-response',
]

/** How one call speaks of the provider's health; a rate limit or a cancelled call says nothing. */
export type Health = 'well' | 'sick' | 'unknown'

export function healthOf(reason: ProviderReason | null): Health {
  if (reason === 'rate-limited' || reason === 'circuit-open') return 'unknown'
  return reason !== null && sick.includes(reason) ? 'sick' : 'well'
}

/** Whether a call may pass at `nowMs`, and the breaker after it did. An open breaker whose time is over lets one probe through. */
export function passBreaker(breaker: Breaker, nowMs: number): { pass: boolean; breaker: Breaker } {
  if (breaker.state === 'closed') return { pass: true, breaker }
  if (breaker.state === 'half-open' || nowMs < breaker.until_ms) return { pass: false, breaker }
  return { pass: true, breaker: { state: 'half-open', opened: breaker.opened } }
}

/** The breaker after a call has ended. `probe` tells whether it was the one let through half-open; others came from before. */
export function settleBreaker(breaker: Breaker, health: Health, probe: boolean, nowMs: number): Breaker {
  if (breaker.state === 'closed') {
    if (health === 'unknown') return breaker
    if (health === 'well') return breaker.failures === 0 ? breaker : closedBreaker
    const failures = breaker.failures + 1
    return failures < breakerPolicy.failures ? { state: 'closed', failures } : openFor(1, nowMs)
  }
  if (health === 'well') return closedBreaker
  if (breaker.state === 'open' || !probe) return breaker
  return health === 'sick' ? openFor(breaker.opened + 1, nowMs) : { state: 'open', until_ms: nowMs, opened: breaker.opened }
}

function openFor(opened: number, nowMs: number): Breaker {
  const open_ms = Math.min(breakerPolicy.longest_open_ms, breakerPolicy.first_open_ms * 2 ** (opened - 1))
  return { state: 'open', until_ms: nowMs + open_ms, opened }
}
