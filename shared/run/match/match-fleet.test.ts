import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../testing/draws.ts'
import { agent, all, at, part, pool, run, sandbox, text, total } from '../testing/test-fleet.ts'
import { keyOf } from './bins.ts'
import type { MatchAgent, MatchRun } from './fleet.ts'
import { type Given, matchFleet } from './match-fleet.ts'

const someRuns = fc.array(
  fc.record({
    priority: fc.integer({ min: -1, max: 1 }),
    owner_id: fc.constantFrom('ann', 'ben', 'cid'),
    concurrency: fc.integer({ min: 1, max: 40 }),
    asks: fc.option(fc.nat(40), { nil: null }),
    codes: fc.option(fc.record({ open: fc.nat(20), cpus: fc.constantFrom(0.5, 1, 3), memory_mb: fc.constantFrom(512, 9000) }), {
      nil: null,
    }),
    alone: fc.boolean(),
    few: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
    far: fc.boolean(),
  }),
  { maxLength: 6 },
)
const someAgents = fc.array(
  fc.record({
    slots: fc.integer({ min: 1, max: 30 }),
    cpus: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
    far: fc.boolean(),
  }),
  { maxLength: 5 },
)
type Drawn<T> = T extends fc.Arbitrary<infer V> ? V : never

const runsOf = (some: Drawn<typeof someRuns>): MatchRun[] =>
  some.map(({ asks, codes, alone, few, far, ...more }, n) => {
    const parts = [
      ...(asks === null ? [] : [part({ open: asks })]),
      ...(alone ? [part({ benchmarks: ['timed'], open: 9, alone })] : []),
      ...(few === null ? [] : [part({ benchmarks: ['few'], open: 9, at_once: few })]),
      ...(codes
        ? [part({ benchmarks: ['coded'], open: codes.open, sandbox: sandbox({ cpus: codes.cpus, memory_mb: codes.memory_mb }) })]
        : []),
    ]
    return run(`run-${n}`, { ...more, parts, needs: far ? ['llm', 'far'] : ['llm'] })
  })
const agentsOf = (some: Drawn<typeof someAgents>): MatchAgent[] =>
  some.map(({ slots, cpus, far }, n) =>
    agent(`agent-${n}`, slots, {
      sandboxes: cpus === null ? [] : [pool(cpus)],
      capabilities: far ? ['far', 'llm'] : ['llm'],
    }),
  )

/** What must hold of every assignment, however it came about. */
function hold(runs: readonly MatchRun[], agents: readonly MatchAgent[], given: Given): void {
  const sums = new Map<string, number>()
  for (const one of agents) {
    const used = { calls: 0, cpus: 0, memory_mb: 0 }
    for (const { run_id, shares } of given.get(one.session)!) {
      const its = runs.find((each) => each.run_id === run_id)!
      expect(its.needs.every((need) => one.capabilities.includes(need))).toBe(true)
      for (const { benchmarks, slots } of shares) {
        const its_part = its.parts.find((each) => keyOf(run_id, each.benchmarks) === keyOf(run_id, benchmarks))!
        const key = keyOf(run_id, benchmarks)
        sums.set(key, (sums.get(key) ?? 0) + slots)
        if (its_part.sandbox) {
          used.cpus += slots * its_part.sandbox.cpus
          used.memory_mb += slots * its_part.sandbox.memory_mb
        } else used.calls += slots
      }
    }
    expect(used.calls).toBeLessThanOrEqual(one.slots)
    expect(used.cpus).toBeLessThanOrEqual(one.sandboxes.reduce((sum, { cpus }) => sum + cpus, 0))
    expect(used.memory_mb).toBeLessThanOrEqual(one.sandboxes.reduce((sum, { memory_mb }) => sum + memory_mb, 0))
  }
  for (const each of runs) {
    expect(all(given, each.run_id)).toBeLessThanOrEqual(each.concurrency)
    for (const { benchmarks, open, alone, at_once = open } of each.parts)
      expect(sums.get(keyOf(each.run_id, benchmarks)) ?? 0).toBeLessThanOrEqual(alone ? Math.min(1, open) : Math.min(at_once, open))
  }
}

test('[FLEET1] nobody gets more than there is or what it cannot do, nothing that could be used stays idle, and the same fleet stays as it is', () => {
  fc.assert(
    fc.property(someRuns, someAgents, someRuns, someAgents, (runs, agents, laterRuns, laterAgents) => {
      let given: Given = new Map()
      for (const [r, a] of [
        [runs, agents],
        [runs, laterAgents],
        [laterRuns, laterAgents],
      ] as const) {
        const [planned, fleet] = [runsOf(r), agentsOf(a)]
        given = matchFleet(planned, fleet, given)
        hold(planned, fleet, given)
        // Where agents of many kinds are mixed it may take some steps until everybody has found a seat.
        for (let steps = 0; steps < 4 && text(matchFleet(planned, fleet, given)) !== text(given); steps++) {
          given = matchFleet(planned, fleet, given)
          hold(planned, fleet, given)
        }
        expect(text(matchFleet(planned, fleet, given))).toBe(text(given))
        if (planned.every(({ needs, parts }) => needs.length === 1 && parts.length === 1))
          expect(text(matchFleet(planned, fleet, matchFleet(planned, fleet)))).toBe(text(matchFleet(planned, fleet)))
        const idle = fleet.filter((one) => total(given, one.session) === 0)
        for (const each of planned) {
          const asks = each.parts.find(({ benchmarks }) => benchmarks[0] === 'alpha')
          const wants = asks !== undefined && asks.open > 0 && all(given, each.run_id) === 0
          expect(wants && idle.some((one) => each.needs.every((need) => one.capabilities.includes(need)))).toBe(false)
        }
      }
    }),
    draws(400),
  )
})

test('[FLEET2] priority first, then owners share alike, then age', () => {
  const urgent = matchFleet([run('old'), run('urgent', { priority: 5, created_at: '2026-02-01T00:00:00Z' })], [agent('a', 64)])
  expect([all(urgent, 'urgent'), all(urgent, 'old')]).toEqual([64, 0])
  const shared = matchFleet([run('a1'), run('a2'), run('a3'), run('b1', { owner_id: 'ben' })], [agent('a', 60)])
  expect([all(shared, 'b1'), all(shared, 'a1')]).toEqual([30, 10])
  const tight = matchFleet([run('young', { created_at: '2026-03-01T00:00:00Z' }), run('old')], [agent('a', 1)])
  expect(all(tight, 'old')).toBe(1)
})

test('[FLEET2] the runs of one owner get alike, whatever their age; odd slots go to the oldest', () => {
  const runs = [run('new', { created_at: '2026-03-01T00:00:00Z' }), run('mid', { created_at: '2026-02-01T00:00:00Z' }), run('old')]
  for (const listed of [runs, runs.toReversed()]) {
    const given = matchFleet(listed, [agent('a', 7)])
    expect(['old', 'mid', 'new'].map((id) => all(given, id))).toEqual([3, 2, 2])
  }
  const twins = matchFleet([run('b'), run('a')], [agent('x', 3)])
  expect([all(twins, 'a'), all(twins, 'b')]).toEqual([2, 1])
})

test('[FLEET2] who comes later gets what is due: nobody is left with less than seven eighths of it, and the more urgent first', () => {
  const fleet = [agent('a', 64), agent('b', 64)]
  const first = matchFleet([run('one', { concurrency: 128 })], fleet)
  expect(all(first, 'one')).toBe(128)
  const both = [run('one', { concurrency: 128 }), run('two', { concurrency: 128, owner_id: 'ben' })]
  const second = matchFleet(both, fleet, first)
  expect([all(second, 'one'), all(second, 'two')]).toEqual([64, 64])
  const third = matchFleet([...both, run('now', { priority: 1, concurrency: 100, owner_id: 'cid' })], fleet, second)
  expect([all(third, 'now'), all(third, 'one'), all(third, 'two')]).toEqual([100, 14, 14])
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 6 }),
      (widths, owners) => {
        const runs = widths.map((concurrency, n) => run(`r${n}`, { concurrency, owner_id: `o${n % owners}` }))
        let given: Given = new Map()
        for (let n = 1; n <= runs.length; n++) given = matchFleet(runs.slice(0, n), fleet, given)
        const anew = matchFleet(runs, fleet)
        for (const { run_id } of runs) expect(all(given, run_id)).toBeGreaterThanOrEqual(Math.floor((7 / 8) * (all(anew, run_id) - 8)))
      },
    ),
    draws(200),
  )
})

test('[FLEET92] a new agent takes its fair share from busy ones and not more; no run moves whole, and nothing moves between the others', () => {
  const runs = [run('r', { concurrency: 32 })]
  const before = matchFleet(runs, [agent('a', 16), agent('b', 16)])
  expect([at(before, 'a', 'r'), at(before, 'b', 'r')]).toEqual([16, 16])
  const after = matchFleet(runs, [agent('a', 16), agent('b', 16), agent('c', 64)], before)
  expect(['a', 'b', 'c'].map((session) => at(after, session, 'r'))).toEqual([6, 6, 20]) // a third of the load on everybody
  const away = matchFleet(runs, [agent('a', 16), agent('b', 16)], after)
  expect(['a', 'b'].map((session) => at(away, session, 'r'))).toEqual([16, 16])
  // Where nobody is busy nobody gives: work that goes well stays where its data are open.
  const calm = matchFleet([run('r', { concurrency: 16 })], [agent('a', 16), agent('b', 16)])
  expect(text(matchFleet([run('r', { concurrency: 16 })], [agent('a', 16), agent('b', 16), agent('d', 4)], calm))).toContain(
    JSON.stringify([...calm][0]),
  )
})

test('[FLEET92] as agents come and go in a large fleet, no agent loses more than what a newcomer may have or somebody is short of', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 4, max: 64 }), { minLength: 3, maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 }),
      (sizes, widths) => {
        const fleet = sizes.map((slots, n) => agent(`a${n}`, n === 0 ? slots : sizes[1]!))
        const runs = widths.map((concurrency, n) => run(`r${n}`, { concurrency, owner_id: `o${n % 3}` }))
        const [newcomer, ...old] = fleet
        const before = matchFleet(runs, old)
        const after = matchFleet(runs, fleet, before)
        const capacity = fleet.reduce((sum, { slots }) => sum + slots, 0)
        const used = [...after.keys()].reduce((sum, session) => sum + total(after, session), 0)
        let moved = 0
        for (const { session } of old)
          for (const { run_id } of runs) moved += Math.max(0, at(before, session, run_id) - at(after, session, run_id))
        expect(moved).toBeLessThanOrEqual(Math.ceil((used * newcomer!.slots) / capacity))
      },
    ),
    draws(300),
  )
})

test('[FLEET92] an agent just an eighth above the mean load is not busy, one just an eighth below it not idle, however fractions are rounded', () => {
  const dealt = (...agents: [session: string, slots: number, had: number][]): number[] => {
    const had = new Map(agents.map(([session, , slots]) => [session, [{ run_id: 'r', shares: [{ benchmarks: ['alpha'], slots }] }]]))
    const concurrency = agents.reduce((sum, [, , slots]) => sum + slots, 0)
    const after = matchFleet(
      [run('r', { concurrency })],
      agents.map(([session, slots]) => agent(session, slots)),
      had,
    )
    return agents.map(([session]) => at(after, session, 'r'))
  }
  // 13 of 24 and an eighth more are two thirds, and so are 6 of 9.
  expect(dealt(['a', 9, 6], ['b', 9, 6], ['c', 6, 1])).toEqual([6, 6, 1])
  expect(dealt(['a', 9, 7], ['b', 9, 5], ['c', 6, 1])).toEqual([5, 5, 3])
  // 83 of 88 without an eighth are 9 of 11.
  expect(dealt(['a', 11, 9], ['b', 77, 74])).toEqual([9, 74])
  expect(dealt(['a', 11, 8], ['b', 77, 75])).toEqual([10, 73])
})

test('[FLEET92] long trials are not moved to even out the load', () => {
  const long = [run('r', { concurrency: 32, parts: [part({ typical_seconds: 3600 })] })]
  const before = matchFleet(long, [agent('a', 32)])
  expect(at(matchFleet(long, [agent('a', 32), agent('b', 32)], before), 'a', 'r')).toBe(32)
})

test('[FLEET2] a run that no agent can work on keeps nobody from the runs behind it, and one without open trials gets nothing', () => {
  const runs = [
    run('stuck', { needs: ['llm', 'far'] }),
    run('done', { parts: [part({ open: 0 })] }),
    run('goes', { created_at: '2026-05-01T00:00:00Z' }),
  ]
  expect(matchFleet(runs, [agent('a', 4)]).get('a')).toEqual([{ run_id: 'goes', shares: [{ benchmarks: ['alpha'], slots: 4 }] }])
})
