import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowances, openStrikes } from './strikes.ts'

const { burst, every_ms } = allowances.guess

test('[AUTH20] a burst is free, then one more for each interval; time forgives everything', () => {
  const strikes = openStrikes()
  const standings = Array.from({ length: burst }, () => strikes.strike('guess', 'a', 1000))
  expect(standings.map((one) => one.remaining)).toEqual(Array.from({ length: burst }, (_, index) => burst - 1 - index))
  expect(standings.map((one) => one.blocked_until_ms !== null)).toEqual(Array.from({ length: burst }, (_, index) => index === burst - 1))
  expect(standings.at(-1)!.blocked_until_ms).toBe(1000 + every_ms)
  expect(strikes.strike('guess', 'a', 1000 + burst * every_ms)).toEqual({ blocked_until_ms: null, remaining: burst - 1 })
  expect(strikes.strike('guess', 'b', 1000).blocked_until_ms).toBeNull()
  expect(strikes.strike('create', 'a', 1000).blocked_until_ms).toBeNull()
})

test('[AUTH20] whoever waits as he is told is let in at the allowed pace, and nobody waits longer than one interval', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 50, maxLength: 200 }), (waits) => {
      const strikes = openStrikes()
      let now = 0
      let blocked = 0
      let judged = 0
      for (const wait of waits) {
        now += wait
        if (now < blocked) continue
        judged += 1
        const { blocked_until_ms } = strikes.strike('guess', 'a', now)
        blocked = blocked_until_ms ?? 0
        expect(blocked - now).toBeLessThanOrEqual(every_ms)
      }
      expect(judged).toBeLessThanOrEqual(burst + Math.ceil(now / every_ms))
    }),
  )
})

test('[AUTH20] memory is bounded: the key struck longest ago is forgotten', () => {
  const strikes = openStrikes(100)
  for (let index = 0; index < 5000; index++) strikes.strike('guess', String(index), index)
  expect(strikes.size()).toBe(100)
})
