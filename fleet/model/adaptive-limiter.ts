import type { ProviderReason } from '#shared/contract/failure.ts'
import type { Clock } from '#shared/run/clock.ts'
import { processClock } from '../process-clock.ts'
import { type Breaker, closedBreaker, healthOf, passBreaker, settleBreaker } from './circuit-breaker.ts'
import { createLimiterState, endCall, type LimiterState, limitCall, startCall, waitFor } from './limiter-state.ts'
import type { RateGate } from './rate-gate.ts'

/** Leave to make one call; hand it back with `release`. */
export type Permit = { readonly started_ms: number; readonly probe: boolean }

/** How the call ended: null for an answer or a cancelled call, else the provider's reason. */
export type CallEnd = { reason: ProviderReason | null; retry_after_ms: number | null; canceled: boolean }

export type AdaptiveLimiter = {
  /**
   * Waits for a permit. Gives `circuit-open` when the model's circuit is still open after `patienceMs` of waiting; waiting for width,
   * pace or cool-down is never cut short. Rejects with the signal's reason when it aborts.
   */
  acquire(signal: AbortSignal | null, patienceMs: number): Promise<Permit | 'circuit-open'>
  release(permit: Permit, end: CallEnd): void
  /** Changes the configured width; calls in flight are left alone. */
  resize(max: number): void
  snapshot(): { limiter: LimiterState; breaker: Breaker; waiting: number }
}

/** Who asks under one key: each model has a width and a circuit of its own, the pace and the cool-down are the key's. */
export type KeyLimiter = { lane(model: string): AdaptiveLimiter }

/** The longer of two waits; null, until something happens, is the longest. */
const later = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.max(a, b))

type Waiter = { give(permit: Permit | 'circuit-open'): void; until_ms: number; place: number }
/** Of `state` the width and the calls in flight are the lane's; its pace is out of date where another lane has moved it since. */
type Lane = { state: LimiterState; breaker: Breaker; waiters: Set<Waiter> }
type Options = { max: number; clock?: Clock; rate?: RateGate }

/** The limiter of a key under which one model is asked. */
export function createAdaptiveLimiter(options: Options): AdaptiveLimiter {
  return createKeyLimiter(options).lane('')
}

/**
 * The shared gate in front of one provider key: pace and cool-down for all that ask under it, width and circuit for each model (pure cores
 * beside it), so that a model which hangs or fails takes nothing from the others. First come, first served among those that may go; behind
 * it the gate of the key's known rate limit, where it has one.
 */
export function createKeyLimiter(options: Options): KeyLimiter {
  const { rate, clock = processClock } = options
  const lanes = new Map<string, Lane>()
  /** The state of the lane that moved the pace last: with one model it is always that one's, and nothing is put together. */
  let paced = createLimiterState(options.max, clock.now())
  let places = 0
  let cancelTimer: (() => void) | null = null

  const stateOf = ({ state }: Lane): LimiterState => (state === paced ? state : withWidthOf(state, paced))
  const keep = (lane: Lane, state: LimiterState): void => {
    lane.state = state
    paced = state
  }
  const waiting = (): number => {
    let sum = 0
    for (const { waiters } of lanes.values()) sum += waiters.size
    return sum
  }
  /** Behind an open circuit one probe is all that can be sent: the rest asks for no share of the key. */
  const tellWant = (): void => {
    let sum = 0
    for (const { waiters, breaker } of lanes.values()) sum += breaker.state === 'closed' ? waiters.size : Math.min(1, waiters.size)
    rate?.want(sum)
  }

  const tryTake = (lane: Lane, now: number): Permit | null => {
    const state = stateOf(lane)
    if (waitFor(state, now) !== 0 || (rate && rate.waitMs(now) !== 0)) return null
    const passed = passBreaker(lane.breaker, now)
    if (!passed.pass) return null
    const probe = passed.breaker !== lane.breaker
    lane.breaker = passed.breaker
    keep(lane, startCall(state, now))
    rate?.take(now)
    return { started_ms: now, probe }
  }

  const pump = (): void => {
    const now = clock.now()
    const stuck = new Set<Lane>()
    for (let next = firstOf(lanes.values(), stuck); next; next = firstOf(lanes.values(), stuck)) {
      const { lane, waiter } = next
      const permit = tryTake(lane, now) ?? (lane.breaker.state !== 'closed' && now >= waiter.until_ms ? 'circuit-open' : null)
      if (permit === null) {
        stuck.add(lane)
        continue
      }
      lane.waiters.delete(waiter)
      waiter.give(permit)
    }
    tellWant()
    arm(now)
  }

  /** When the first waiter of this lane may go, or has waited long enough, by time alone. */
  const wakeOf = (lane: Lane, now: number): number => {
    const [head] = lane.waiters
    if (!head) return Number.POSITIVE_INFINITY
    const { breaker } = lane
    const free = later(waitFor(stateOf(lane), now), rate ? rate.waitMs(now) : 0)
    let next = free ?? Number.POSITIVE_INFINITY
    if (breaker.state === 'open' && free !== null) next = Math.max(free, breaker.until_ms - now)
    if (breaker.state === 'half-open') next = Number.POSITIVE_INFINITY
    return breaker.state === 'closed' ? next : Math.min(next, head.until_ms - now)
  }
  const arm = (now: number): void => {
    cancelTimer?.()
    cancelTimer = null
    const next = Math.min(...[...lanes.values()].map((lane) => wakeOf(lane, now)))
    if (next !== Number.POSITIVE_INFINITY) cancelTimer = clock.after(Math.max(1, next), pump)
  }

  const enqueue = (lane: Lane, signal: AbortSignal | null, patienceMs: number): Promise<Permit | 'circuit-open'> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        lane.waiters.delete(waiter)
        tellWant()
        reject(signal?.reason)
        arm(clock.now())
      }
      const waiter: Waiter = {
        until_ms: clock.now() + patienceMs,
        place: places++,
        give(permit) {
          signal?.removeEventListener('abort', onAbort)
          resolve(permit)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      lane.waiters.add(waiter)
      // Those who wait may be held up by something that does not concern this lane.
      pump()
    })

  rate?.onChange(() => pump())

  const open = (lane: Lane): AdaptiveLimiter => ({
    async acquire(signal, patienceMs) {
      signal?.throwIfAborted()
      const permit = waiting() === 0 ? tryTake(lane, clock.now()) : null
      return permit ?? enqueue(lane, signal, patienceMs)
    },
    release(permit, end) {
      const now = clock.now()
      const state = stateOf(lane)
      if (end.reason === 'rate-limited') keep(lane, limitCall(state, permit.started_ms, end.retry_after_ms, now))
      else keep(lane, endCall(state, !end.canceled && healthOf(end.reason) === 'well', now))
      lane.breaker = settleBreaker(lane.breaker, end.canceled ? 'unknown' : healthOf(end.reason), permit.probe, now)
      if (waiting() > 0) pump()
    },
    resize(max) {
      const state = stateOf(lane)
      keep(lane, { ...state, max, width: Math.min(state.width, max) })
      pump()
    },
    snapshot: () => ({ limiter: stateOf(lane), breaker: lane.breaker, waiting: lane.waiters.size }),
  })
  const opened = new Map<string, AdaptiveLimiter>()
  return {
    lane(model) {
      const known = opened.get(model)
      if (known) return known
      const lane: Lane = { state: createLimiterState(options.max, clock.now()), breaker: closedBreaker, waiters: new Set() }
      const limiter = open(lane)
      lanes.set(model, lane)
      opened.set(model, limiter)
      return limiter
    },
  }
}

/** The pace of one lane's state with the width of another's. */
const withWidthOf = ({ max, width, in_flight, slow_start, round }: LimiterState, paced: LimiterState): LimiterState => ({
  ...paced,
  ...{ max, width, in_flight, slow_start, round },
})

/** Of the first waiters of all lanes but the stuck ones, the one that came first. */
function firstOf(lanes: Iterable<Lane>, stuck: ReadonlySet<Lane>): { lane: Lane; waiter: Waiter } | undefined {
  let found: { lane: Lane; waiter: Waiter } | undefined
  for (const lane of lanes) {
    const [waiter] = lane.waiters
    if (waiter && !stuck.has(lane) && (!found || waiter.place < found.waiter.place)) found = { lane, waiter }
  }
  return found
}
