import { expect, test } from 'vitest'
import { defaultLimits } from '#shared/contract/limits.ts'
import type { AdaptiveLimiter } from './adaptive-limiter.ts'
import { createCallWatch } from './call-watch.ts'
import { closedBreaker } from './circuit-breaker.ts'
import { createLimiterState } from './limiter-state.ts'
import { providerFailure } from './provider-failure.ts'

const limits = { ...defaultLimits, first_token_ms: 10_000, total_ms: 100_000, attempts: 3 }

type Snapshot = ReturnType<AdaptiveLimiter['snapshot']>

/** A watch over a limiter whose state the test sets, at a time that the test sets. */
function start() {
  const at = { now: 0 }
  const gate: Snapshot = { limiter: createLimiterState(4, 0), breaker: closedBreaker, waiting: 0 }
  const snapshot = () => gate
  return { at, gate, watch: createCallWatch({ provider: 'p', model: 'm' }, { snapshot }, () => at.now) }
}

test('[MODEL71] a watch tells what is in flight, what waits and for what, and which attempt comes when', () => {
  const { at, gate, watch } = start()
  expect(watch.pulse()).toMatchObject({ in_flight: 0, waiting: 0, hold: 'none', next_try_ms: null, attempt: null, slowest: null })
  const [a, b] = [watch.begin(limits), watch.begin(limits)]
  a.queued(1)
  b.queued(1)
  expect(watch.pulse()).toMatchObject({ in_flight: 0, waiting: 2, hold: 'pace', attempt: 1, attempts: 3 })
  a.sent()
  at.now = 4000
  a.failed(providerFailure('overloaded', 'no capacity', 503))
  a.paused(2500)
  expect(watch.pulse()).toMatchObject({ waiting: 2, hold: 'retry', next_try_ms: 2500, attempt: 2, failed: 1 })
  expect(watch.pulse().failure).toEqual({ reason: 'overloaded', status: 503, detail: 'no capacity' })
  gate.breaker = { state: 'open', until_ms: 12_000, opened: 1 }
  expect(watch.pulse()).toMatchObject({ hold: 'circuit', next_try_ms: 8000 })
  gate.breaker = { state: 'half-open', opened: 1 }
  expect(watch.pulse()).toMatchObject({ hold: 'circuit', next_try_ms: null })
  gate.breaker = closedBreaker
  gate.limiter = { ...gate.limiter, cool_until_ms: 9000 }
  expect(watch.pulse()).toMatchObject({ hold: 'cool-down', next_try_ms: 5000, attempt: 1 })
  b.sent()
  b.answered()
  b.end()
  expect(watch.pulse()).toMatchObject({ in_flight: 0, waiting: 1, failed: 0, failure: null })
  a.end()
  expect(watch.pulse()).toMatchObject({ waiting: 0, hold: 'none' })
})

test('[MODEL71] the call nearest to its limit is the slowest: of the limit for the first token until one has come', () => {
  const { at, watch } = start()
  const [old, young] = [watch.begin(limits), watch.begin(limits)]
  old.sent()
  at.now = 3000
  young.sent()
  at.now = 8000
  expect(watch.pulse().slowest).toEqual({ elapsed_ms: 8000, limit_ms: 10_000, until: 'first-token' })
  old.started()
  expect(watch.pulse().slowest).toEqual({ elapsed_ms: 5000, limit_ms: 10_000, until: 'first-token' })
  young.started()
  expect(watch.pulse().slowest).toEqual({ elapsed_ms: 8000, limit_ms: 100_000, until: 'end' })
})
