import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aheadOf, chooseAhead, givenFirst, itemKey, openFor } from './ahead.ts'
import { startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const item = fc.record({ benchmark: fc.constantFrom('alpha', 'beta'), item_id: fc.integer({ min: 0, max: 9 }).map(String) })
const trial = fc.record({
  benchmark: fc.constantFrom('alpha', 'beta'),
  item_id: fc.integer({ min: 0, max: 9 }).map(String),
  deaths: fc.nat(1),
})
const told = fc.record({ mine: fc.array(item.map(itemKey)), others: fc.array(item.map(itemKey)) })

test('[LEASE12] an agent is told of so many items at most, each once, of pending trials, none that others were told or that it has at work, and keeps what it was told', () => {
  fc.assert(
    fc.property(fc.array(trial), fc.nat(12), told, fc.array(item), (open, count, known, atWork) => {
      const chosen = chooseAhead(open, count, known, atWork).map(itemKey)
      const pending = new Set(open.map(itemKey))
      const barred = new Set([...known.others, ...atWork.map(itemKey)])
      expect(new Set(chosen).size).toBe(chosen.length)
      expect(chosen.every((key) => pending.has(key) && !barred.has(key))).toBe(true)
      const free = [...pending].filter((key) => !barred.has(key))
      expect(chosen).toHaveLength(Math.min(count, free.length))
      const kept = free.filter((key) => known.mine.includes(key))
      expect(chosen.slice(0, kept.length)).toEqual(kept.slice(0, count))
    }),
  )
})

test('[LEASE13] a claim gets as many trials as without what was told: those of a lost agent, then its own, then nobody’s, then those of others, each in order', () => {
  fc.assert(
    fc.property(fc.array(trial), fc.nat(12), told, (open, count, known) => {
      const numbered = open.map((one, ordinal) => ({ ...one, ordinal }))
      const given = givenFirst(numbered, count, known)
      expect(given).toHaveLength(Math.min(count, open.length))
      expect(new Set(given.map(({ ordinal }) => ordinal)).size).toBe(given.length)
      const rank = (one: (typeof given)[number]) =>
        one.deaths > 0 ? 0 : known.mine.includes(itemKey(one)) ? 1 : known.others.includes(itemKey(one)) ? 3 : 2
      const places = given.map((one) => rank(one) * 1000 + one.ordinal)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      const left = numbered.filter((one) => !given.includes(one)).map((one) => rank(one) * 1000 + one.ordinal)
      expect(Math.max(-1, ...places)).toBeLessThanOrEqual(Math.min(Number.POSITIVE_INFINITY, ...left))
    }),
  )
})

test('[LEASE13] agents that claim what they were told of work on disjoint items while there are enough, and end the run together', () => {
  const { run, trials, head } = startHistory(testSpec({ benchmarks: [{ name: 'alpha', items: 12, epochs: 1 }], concurrency: 12 }))
  const sessions = ['session-1', 'session-2', 'session-3']
  const keys = new Map<string, string[]>(sessions.map((session) => [session, []]))
  const toldOf = (session: string) => ({
    mine: keys.get(session)!,
    others: sessions.flatMap((one) => (one === session ? [] : keys.get(one)!)),
  })
  for (const session of sessions) run({ type: 'hello', agent_id: session, session, holding: [] }, 0)
  const whole = [{ from: 0, to: 12 }]
  let hits = 0
  for (let turn = 0; head().leased < 12; turn++) {
    const session = sessions[turn % 3]!
    const before = keys.get(session)!
    const [leased] = run({ type: 'claim', session, count: 1, told: toldOf(session) }, 0).flatMap((event) =>
      event.event_type === 'trials_leased' ? event.data.leases : [],
    )
    if (before.includes(itemKey(trials.find(leased![0])!))) hits++
    keys.set(session, aheadOf(trials, 2, toldOf(session), trials.leasedTo(session), whole).map(itemKey))
  }
  expect(hits).toBe(9) // all but the first of each
  expect(openFor(trials, 5, whole, toldOf('session-1'))).toEqual([])
})
