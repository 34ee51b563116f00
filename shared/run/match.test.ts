import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MatchAgent, type MatchRun, matchFleet, needsOf } from './match.ts'

const run = (run_id: string, more: Partial<MatchRun> = {}): MatchRun => ({
  run_id,
  owner_id: 'ann',
  priority: 0,
  created_at: '2026-01-01T00:00:00Z',
  needs: ['llm'],
  open: 1000,
  concurrency: 64,
  ...more,
})
const agent = (session: string, slots: number, capabilities = ['llm']): MatchAgent => ({ session, slots, capabilities })
const slotsOf = (assigned: ReturnType<typeof matchFleet>, run_id: string) =>
  [...assigned.values()]
    .flat()
    .filter((each) => each.run_id === run_id)
    .reduce((sum, each) => sum + each.slots, 0)

test('[FLEET1] no agent gets more than its slots, no run more than its concurrency or its open trials, nobody what it cannot do', () => {
  const runs = fc.array(
    fc.record({
      priority: fc.integer({ min: -1, max: 1 }),
      open: fc.nat(40),
      concurrency: fc.integer({ min: 1, max: 40 }),
      owner_id: fc.constantFrom('ann', 'ben'),
      docker: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  const agents = fc.array(fc.record({ slots: fc.integer({ min: 1, max: 30 }), docker: fc.boolean() }), { maxLength: 4 })
  fc.assert(
    fc.property(runs, agents, (some, others) => {
      const planned = some.map((each, n) => run(`run-${n}`, { ...each, needs: each.docker ? ['llm', 'docker'] : ['llm'] }))
      const fleet = others.map((each, n) => agent(`agent-${n}`, each.slots, each.docker ? ['llm', 'docker'] : ['llm']))
      const assigned = matchFleet(planned, fleet)
      for (const each of planned) expect(slotsOf(assigned, each.run_id)).toBeLessThanOrEqual(Math.min(each.concurrency, each.open))
      for (const each of fleet) {
        const given = assigned.get(each.session)!
        expect(given.reduce((sum, row) => sum + row.slots, 0)).toBeLessThanOrEqual(each.slots)
        for (const row of given)
          expect(
            planned.find((candidate) => candidate.run_id === row.run_id)!.needs.every((need) => each.capabilities.includes(need)),
          ).toBe(true)
      }
      const wanted = planned
        .filter((each) => !each.needs.includes('docker'))
        .reduce((sum, each) => sum + Math.min(each.concurrency, each.open), 0)
      const all = fleet.reduce((sum, each) => sum + each.slots, 0)
      const used = [...assigned.values()].flat().reduce((sum, each) => sum + each.slots, 0)
      expect(used).toBeGreaterThanOrEqual(Math.min(wanted, all))
    }),
    { numRuns: 500 },
  )
})

test('[FLEET2] priority first, then owners share alike, then age', () => {
  const urgent = matchFleet([run('old'), run('urgent', { priority: 5, created_at: '2026-02-01T00:00:00Z' })], [agent('a', 64)])
  expect(slotsOf(urgent, 'urgent')).toBe(64)
  expect(slotsOf(urgent, 'old')).toBe(0)
  const shared = matchFleet([run('a1'), run('a2'), run('a3'), run('b1', { owner_id: 'ben' })], [agent('a', 60)])
  expect(slotsOf(shared, 'b1')).toBeGreaterThanOrEqual(26)
  const tight = matchFleet([run('young', { created_at: '2026-03-01T00:00:00Z' }), run('old')], [agent('a', 1)])
  expect(slotsOf(tight, 'old')).toBe(1)
})

test('[FLEET2] the runs of one owner get alike, whatever their age; odd slots go to the oldest', () => {
  const runs = [run('new', { created_at: '2026-03-01T00:00:00Z' }), run('mid', { created_at: '2026-02-01T00:00:00Z' }), run('old')]
  for (const listed of [runs, runs.toReversed()]) {
    const assigned = matchFleet(listed, [agent('a', 7)])
    expect(['old', 'mid', 'new'].map((id) => slotsOf(assigned, id))).toEqual([3, 2, 2])
  }
  for (const listed of [
    [run('b'), run('a')],
    [run('a'), run('b')],
  ]) {
    const twins = matchFleet(listed, [agent('x', 3)])
    expect([slotsOf(twins, 'a'), slotsOf(twins, 'b')]).toEqual([2, 1])
  }
})

test('[FLEET2] a run is spread over agents by room, larger agents are dealt in larger steps, and every agent has its answer', () => {
  const assigned = matchFleet([run('r', { concurrency: 30 })], [agent('small', 10), agent('large', 40), agent('other', 40, ['docker'])])
  expect(assigned.get('large')).toEqual([{ run_id: 'r', slots: 30 }])
  expect([assigned.get('small'), assigned.get('other')]).toEqual([[], []])
  const wide = matchFleet([run('r', { concurrency: 45 })], [agent('small', 10), agent('large', 40)])
  expect([wide.get('small'), wide.get('large')].map((rows) => rows![0]!.slots)).toEqual([7, 38])
  // A step is an eighth of the room and eight at most, so that runs of one round differ by no more.
  const shared = matchFleet([run('a'), run('b', { owner_id: 'ben' })], [agent('x', 128)])
  expect([slotsOf(shared, 'a'), slotsOf(shared, 'b')]).toEqual([64, 64])
  const odd = matchFleet([run('a', { concurrency: 100 }), run('b', { owner_id: 'ben', concurrency: 100 })], [agent('x', 100)])
  expect(Math.abs(slotsOf(odd, 'a') - slotsOf(odd, 'b'))).toBeLessThanOrEqual(8)
})

test('[FLEET2] a run that no agent can work on keeps nobody from the runs behind it, and one without open trials gets nothing', () => {
  const runs = [run('stuck', { needs: ['llm', 'docker'] }), run('done', { open: 0 }), run('goes', { created_at: '2026-05-01T00:00:00Z' })]
  const assigned = matchFleet(runs, [agent('a', 4)])
  expect(assigned.get('a')).toEqual([{ run_id: 'goes', slots: 4 }])
})

test('[RUN47] what a run needs: its provider by the owner’s key or the agent’s, and each judge’s once', () => {
  const model = { id: 'm', slug: 'm', provider: 'chutes' }
  const judge = (provider: string) => ({ judge: { model: { ...model, provider } } as never })
  expect(needsOf({ model, own_credential: false })).toEqual(['llm', 'provider:chutes'])
  expect(needsOf({ model, own_credential: false, benchmarks: [{}, { judge: null }] })).toEqual(['llm', 'provider:chutes'])
  expect(needsOf({ model, own_credential: true, benchmarks: [judge('openai'), judge('chutes'), judge('openai')] })).toEqual([
    'llm',
    'own-key:chutes',
    'provider:openai',
  ])
})
