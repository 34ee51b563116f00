import { expect, test } from 'vitest'
import { addSpent, costUsd, noUsage, type Usage, untoldUsage } from '../contract/usage.ts'
import { budgetParked, budgetTrials, heldUsd, spentUsd } from './budget.ts'
import { brief, startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const session = 'session-1'
const price = { input_per_million_usd: 0, output_per_million_usd: 10, cached_input_per_million_usd: null }
const told: Usage = { ...noUsage, input_tokens: 400, output_tokens: 100 }
const judge = { model: { id: 'j', slug: 'j', provider: 'demo' }, price, params: testSpec().benchmarks[0]!.params, schema: false }

/** What one trial reports, by the kind of usage that is missing: `n` counts trials. */
const kinds: Record<string, (n: number) => { usage: Usage; judged?: Usage }> = {
  absent: () => ({ usage: untoldUsage }),
  'zeros for figures': () => ({ usage: untoldUsage }),
  'in part': () => ({ usage: { ...noUsage, output_tokens: 100, untold_calls: 1 } }),
  'only for every second call': (n) => ({ usage: n % 2 ? told : untoldUsage }),
  'only in a repeated call': () => ({ usage: { ...told, untold_calls: 1 } }),
  'in several repeated calls': () => ({ usage: { ...told, untold_calls: 3 } }),
  'of the judge': () => ({ usage: told, judged: untoldUsage }),
  'of the judge now and then': (n) => ({ usage: told, judged: n % 3 === 0 ? untoldUsage : told }),
}

test.each(Object.keys(kinds))('[RUN330] usage that is missing %s: the run stops within one reservation of its budget', (kind) => {
  const roles = kind.includes('judge') ? { judge } : {}
  const spec = { ...testSpec({ benchmarks: [{ name: 'alpha', items: 500, epochs: 1, roles }], budget_usd: 0.5, max_tokens: 1000 }), price }
  const history = startHistory(spec)
  history.run({ type: 'hello', agent_id: 'agent', session, holding: [] }, start)
  const reserve = history.head().reserve_usd!
  let most = 0
  for (let n = 0; n < 500 && history.head().status !== 'paused'; n++) {
    const leased = history.run({ type: 'claim', session, count: 1 }, start).find(({ event_type }) => event_type === 'trials_leased')
    if (leased?.event_type !== 'trials_leased') continue
    const [[ordinal, attempt]] = leased.data.leases as [[number, number]]
    const { usage, judged } = kinds[kind]!(n)
    const cost_usd = costUsd(usage, price)
    const helped = judged && { roles: { judge: { usage: judged, cost_usd: costUsd(judged, price) } } }
    history.run({ type: 'report', session, results: [{ ...brief(ordinal, attempt), usage, cost_usd, ...helped }] }, start)
    most = Math.max(most, usage.untold_calls ?? 0, judged?.untold_calls ?? 0)
  }
  const head = history.head()
  expect(head).toMatchObject({ status: 'paused', parked: { reason: 'budget' } })
  const counted = spentUsd(head)! + heldUsd(head)
  expect(counted).toBeGreaterThan(0.5 - reserve)
  // The reservation of one trial is its first call's; what repeats it is counted when it is reported.
  expect(counted).toBeLessThanOrEqual(0.5 + (most - 1) * reserve + 1e-9)
  expect(head.parked!.detail).toContain('whose tokens the provider did not tell')
  expect(head.cost_usd === null || head.cost_usd > 0).toBe(true)
})

test('[RUN331] a cost of which nothing was told is unknown, one of which a part was told is that part, and a free model costs nothing', () => {
  const part = { usage: { ...told, untold_calls: 1 }, cost_usd: 0.001 }
  const free = { ...price, output_per_million_usd: 0 }
  expect([costUsd(untoldUsage, price), costUsd(untoldUsage, free), costUsd(part.usage, price)]).toEqual([null, 0, 0.001])
  const none = addSpent({ usage: noUsage, cost_usd: 0 }, { usage: untoldUsage, cost_usd: null })
  expect(none).toEqual({ usage: untoldUsage, cost_usd: null })
  expect(addSpent(none, part)).toEqual({ usage: { ...told, untold_calls: 2 }, cost_usd: 0.001 })
  expect(addSpent({ usage: told, cost_usd: null }, part).cost_usd).toBeNull()
})

test('[RUN332] a run that its budget parks says what the next call may cost and what is left', () => {
  const spec = { ...testSpec({ budget_usd: 0.005, max_tokens: 1000 }), price }
  const history = startHistory(spec)
  expect(budgetParked(history.head()).detail).toBe(
    'The next call may cost $0.01; $0.0050 of the budget is left. Raise the budget to go on.',
  )
})

test('[RUN333] a plan knows after how many trials its budget stops', () => {
  expect(budgetTrials(3.5, 4.2, 0.9, 100)).toBe(62)
  expect(budgetTrials(0.5, 4.2, 0.9, 100)).toBe(0)
  expect(budgetTrials(50, 4.2, 0.9, 100)).toBe(100)
  expect([budgetTrials(null, 4.2, 0.9, 100), budgetTrials(1, null, 0.9, 100)]).toEqual([null, null])
})

test('[LEASE330] deaths count only against trials that the vanished agent had begun; a begin said twice is one', () => {
  const history = startHistory({ ...testSpec({ benchmarks: [{ name: 'alpha', items: 200, epochs: 1 }], concurrency: 128 }) })
  for (let n = 0; n < 3; n++) {
    const own = `session-${n}x`
    history.run({ type: 'hello', agent_id: `agent-${n}`, session: own, holding: [] }, start + n)
    const leased = history
      .run({ type: 'claim', session: own, count: 128 }, start + n)
      .find(({ event_type }) => event_type === 'trials_leased')
    if (leased?.event_type !== 'trials_leased') throw new Error('nothing was leased')
    const begin = { type: 'begin', session: own, leases: leased.data.leases.slice(0, 64) } as const
    expect(history.run(begin, start + n)).toHaveLength(1)
    expect(history.run(begin, start + n)).toEqual([])
    history.run({ type: 'tick' }, start + n + 40_000 * (n + 1))
  }
  expect(history.head()).toMatchObject({ done: 64, failures: { 'agent/poison': 64 }, lost: 3 * 128 })
  expect(history.trials.find(64)).toMatchObject({ state: 'pending', deaths: 0 })
})
