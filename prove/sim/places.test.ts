import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MatchAgent } from '#shared/run/match/fleet.ts'
import { type Given, matchFleet } from '#shared/run/match/match-fleet.ts'
import { agent, part, run, total } from '#shared/run/testing/test-fleet.ts'
import { draws } from '#shared/testing/draws.ts'
import { wrongDeal } from './places.ts'

const place = (session: string, slots: number, before: number, after: number) => ({ session, slots, before, after })

test('[SIM12] a deal that moves more than it must is seen, one that does not passes', () => {
  expect(wrongDeal([place('a', 8, 0, 8), place('b', 8, 0, 4)], 12)).toBeUndefined()
  expect(wrongDeal([place('a', 8, 0, 8), place('b', 8, 0, 3)], 12)).toBe('11 slots are given, 12 are wanted and 16 there')
  // A newcomer takes its part of the load from who is full, up to the mean; from who is not busy nothing.
  expect(wrongDeal([place('a', 8, 8, 4), place('b', 8, 0, 4)], 8)).toBeUndefined()
  expect(wrongDeal([place('a', 8, 8, 3), place('b', 8, 0, 5)], 8)).toContain('5 slots were taken, 4 could be')
  expect(wrongDeal([place('a', 16, 8, 7), place('b', 16, 6, 7)], 14)).toContain('1 slots were taken, 0 could be')
  expect(wrongDeal([place('a', 8, 3, 2), place('b', 8, 3, 2), place('c', 8, 0, 2)], 6)).toContain('a lost 1 although it was not busy')
  expect(wrongDeal([place('a', 4, 4, 2), place('b', 8, 5, 5), place('c', 8, 0, 2)], 9)).toBeUndefined()
  expect(wrongDeal([place('a', 8, 8, 4), place('b', 8, 8, 7), place('c', 8, 0, 5)], 16)).toContain('a was left 4 of 8')
  // Fewer are wanted than are given: so many are taken, and whoever they are taken from may be the idle one.
  expect(wrongDeal([place('a', 8, 8, 4), place('b', 8, 8, 4)], 8)).toBeUndefined()
  expect(wrongDeal([place('a', 8, 8, 0), place('b', 8, 6, 8)], 8)).toContain('8 slots were taken, 6 could be')
})

test('[SIM12] however agents come and go and the run grows and shrinks, a deal moves no more than it must', () => {
  const step = fc.record({
    concurrency: fc.integer({ min: 1, max: 60 }),
    open: fc.nat(60),
    here: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 6, maxLength: 6 }),
      fc.array(step, { maxLength: 8 }),
      (sizes, steps) => {
        const all = sizes.map((slots, n) => agent(`a${n}`, slots))
        let given: Given = new Map()
        for (const { concurrency, open, here } of steps) {
          const present: MatchAgent[] = all.filter((_, n) => here[n])
          const next = matchFleet([run('r', { concurrency, parts: [part({ open })] })], present, given)
          const places = present.map(({ session, slots }) =>
            place(session, slots, given.has(session) ? total(given, session) : 0, total(next, session)),
          )
          expect(wrongDeal(places, Math.min(concurrency, open))).toBeUndefined()
          given = new Map([...given, ...next])
        }
      },
    ),
    draws(500),
  )
})
