import { expect, test } from 'vitest'
import type { ProviderReason } from '#shared/contract/failure.ts'
import { handClock, settled } from '#shared/run/testing/hand-clock.ts'
import { type AdaptiveLimiter, createKeyLimiter } from './adaptive-limiter.ts'
import { breakerPolicy } from './circuit-breaker.ts'
import { createRateGate } from './rate-gate.ts'
import { ended, take } from './testing/permits.ts'

/** Keeps so many callers busy under this limiter, each call ending as `call` says; gives how many have ended. */
function keepBusy(limiter: AdaptiveLimiter, callers: number, call: () => Promise<ProviderReason | null>) {
  let calls = 0
  const work = async (): Promise<void> => {
    for (;;) {
      const permit = await limiter.acquire(null, Number.POSITIVE_INFINITY)
      if (permit === 'circuit-open') return
      const reason = await call()
      calls++
      limiter.release(permit, ended(reason))
    }
  }
  for (let n = 0; n < callers; n++) void work()
  return () => calls
}

test.each(['fails', 'hangs'] as const)('[MODEL70] a model that %s takes nothing from another under the same key', async (how) => {
  const clock = handClock()
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  const answer = async () => {
    await pause(100)
    return null
  }
  const alone = keepBusy(createKeyLimiter({ max: 32, clock }).lane('well'), 32, answer)
  const key = createKeyLimiter({ max: 32, clock })
  const sick = keepBusy(key.lane('sick'), 32, async () => {
    await pause(how === 'fails' ? 1 : 180_000)
    return how === 'fails' ? 'overloaded' : 'first-token-timeout'
  })
  await clock.to(1000)
  const beside = keepBusy(key.lane('well'), 32, answer)
  const before = alone()
  await clock.to(5000)
  expect(beside()).toBeGreaterThan(0.9 * (alone() - before))
  expect(key.lane('well').snapshot().breaker.state).toBe('closed')
  if (how === 'fails') expect([key.lane('sick').snapshot().breaker.state, sick() < 60]).toEqual(['open', true])
})

test('[MODEL70] the pace and the cool-down of a key hold for all its models, in the order in which they came', async () => {
  const clock = handClock()
  const key = createKeyLimiter({ max: 4, clock })
  const first = await take(key.lane('a'))
  key.lane('a').release(first, ended('rate-limited', 2000))
  const order: string[] = []
  for (const name of ['b', 'a', 'b', 'c'])
    void key
      .lane(name)
      .acquire(null, 0)
      .then(() => order.push(name))
  await clock.to(1999)
  expect(order).toEqual([])
  await clock.to(2100)
  expect(order).toEqual(['b', 'a', 'b', 'c'])
})

test('[MODEL70] behind an open circuit one probe is all that is asked of the shared limit', async () => {
  const clock = handClock()
  const { gate, grant, wanted } = createRateGate(() => undefined)
  const key = createKeyLimiter({ max: 64, clock, rate: gate })
  grant(1000, Number.POSITIVE_INFINITY)
  for (let call = 0; call < breakerPolicy.failures; call += 1) {
    await clock.to(clock.now() + 5)
    key.lane('sick').release(await take(key.lane('sick')), ended('overloaded'))
  }
  await clock.to(clock.now() + 1500)
  for (let n = 0; n < 30; n++) void key.lane('sick').acquire(null, 60_000)
  await settled()
  expect(wanted(clock.now())).toBe(1)
})
