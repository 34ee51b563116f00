import type { ProviderReason } from '#shared/contract/failure.ts'
import { type Breaker, closedBreaker, healthOf, passBreaker, settleBreaker } from './circuit-breaker.ts'
import { createLimiterState, endCall, type LimiterState, limitCall, startCall, waitFor } from './limiter-state.ts'
import type { RateGate } from './rate-gate.ts'

/** Leave to make one call; hand it back with `release`. */
export type Permit = { readonly started_ms: number; readonly probe: boolean }

/** How the call ended: null for an answer or a cancelled call, else the provider's reason. */
export type CallEnd = { reason: ProviderReason | null; retry_after_ms: number | null; canceled: boolean }

export type AdaptiveLimiter = {
  /**
   * Waits for a permit. Gives `circuit-open` when the provider's circuit is still open after `patienceMs` of waiting; waiting for width,
   * pace or cool-down is never cut short. Rejects with the signal's reason when it aborts.
   */
  acquire(signal: AbortSignal | null, patienceMs: number): Promise<Permit | 'circuit-open'>
  release(permit: Permit, end: CallEnd): void
  /** Changes the configured width; calls in flight are left alone. */
  resize(max: number): void
  snapshot(): { limiter: LimiterState; breaker: Breaker; waiting: number }
}

export type LimiterClock = { now(): number; after(ms: number, run: () => void): () => void }

/** The monotonic clock and timers of the process. */
export const processClock: LimiterClock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.ceil(ms))
    return () => clearTimeout(timer)
  },
}

/** The longer of two waits; null, until something happens, is the longest. */
const later = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.max(a, b))

type Waiter = { give(permit: Permit | 'circuit-open'): void; until_ms: number }

/**
 * The shared gate in front of one provider key: width, pace, cool-down and circuit (pure cores beside it), first come first served; behind it the
 * gate of the key's known rate limit, where it has one.
 */
export function createAdaptiveLimiter(options: { max: number; clock?: LimiterClock; rate?: RateGate }): AdaptiveLimiter {
  const { rate } = options
  const clock = options.clock ?? processClock
  let state = createLimiterState(options.max, clock.now())
  let breaker = closedBreaker
  const waiters = new Set<Waiter>()
  let cancelTimer: (() => void) | null = null

  const tryTake = (now: number): Permit | null => {
    if (waitFor(state, now) !== 0 || (rate && rate.waitMs(now) !== 0)) return null
    const passed = passBreaker(breaker, now)
    if (!passed.pass) return null
    const probe = passed.breaker !== breaker
    breaker = passed.breaker
    state = startCall(state, now)
    rate?.take(now)
    return { started_ms: now, probe }
  }

  const pump = (): void => {
    const now = clock.now()
    for (const waiter of waiters) {
      const permit = tryTake(now) ?? (breaker.state !== 'closed' && now >= waiter.until_ms ? 'circuit-open' : null)
      if (permit === null) break
      waiters.delete(waiter)
      waiter.give(permit)
    }
    rate?.want(waiters.size)
    arm(now)
  }

  const arm = (now: number): void => {
    cancelTimer?.()
    cancelTimer = null
    const [head] = waiters
    if (!head) return
    const free = later(waitFor(state, now), rate ? rate.waitMs(now) : 0)
    let next = free ?? Number.POSITIVE_INFINITY
    if (breaker.state === 'open' && free !== null) next = Math.max(free, breaker.until_ms - now)
    if (breaker.state === 'half-open') next = Number.POSITIVE_INFINITY
    if (breaker.state !== 'closed') next = Math.min(next, head.until_ms - now)
    if (next !== Number.POSITIVE_INFINITY) cancelTimer = clock.after(Math.max(1, next), pump)
  }

  const enqueue = (signal: AbortSignal | null, patienceMs: number): Promise<Permit | 'circuit-open'> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiters.delete(waiter)
        rate?.want(waiters.size)
        reject(signal?.reason)
        arm(clock.now())
      }
      const waiter: Waiter = {
        until_ms: clock.now() + patienceMs,
        give(permit) {
          signal?.removeEventListener('abort', onAbort)
          resolve(permit)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiters.add(waiter)
      rate?.want(waiters.size)
      arm(clock.now())
    })

  rate?.onChange(() => pump())

  return {
    async acquire(signal, patienceMs) {
      signal?.throwIfAborted()
      const permit = waiters.size === 0 ? tryTake(clock.now()) : null
      return permit ?? enqueue(signal, patienceMs)
    },
    release(permit, end) {
      const now = clock.now()
      if (end.reason === 'rate-limited') state = limitCall(state, permit.started_ms, end.retry_after_ms, now)
      else state = endCall(state, !end.canceled && healthOf(end.reason) === 'well', now)
      breaker = settleBreaker(breaker, end.canceled ? 'unknown' : healthOf(end.reason), permit.probe, now)
      if (waiters.size > 0) pump()
    },
    resize(max) {
      state = { ...state, max, width: Math.min(state.width, max) }
      pump()
    },
    snapshot: () => ({ limiter: state, breaker, waiting: waiters.size }),
  }
}
