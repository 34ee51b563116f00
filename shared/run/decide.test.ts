import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { refusal } from './decide.ts'
import { graceMs, leaseMs, maxDeaths } from './lease.ts'
import { brief, type History, results, startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const session = (n: number) => `session-${n}`
const hello = (n: number, holding: [number, number][] = []): Command => ({
  type: 'hello',
  agent_id: `agent-${n}`,
  session: session(n),
  holding,
})
const typesOf = (events: { event_type: string }[]) => events.map((event) => event.event_type)

const start = Date.parse('2026-01-01T00:00:00Z')

function leased(count = 4): History {
  const history = startHistory()
  history.run(hello(1), start)
  history.run({ type: 'claim', session: session(1), count }, start)
  return history
}

test('[LEASE1] a silent agent loses its trials after the lease time and the next claim gets them first', () => {
  const history = leased(4)
  history.run({ type: 'tick' }, start + leaseMs - 1)
  expect(history.head().leased).toBe(4)
  history.run({ type: 'tick' }, start + leaseMs)
  expect(history.head().leased).toBe(0)
  history.run(hello(2), start + leaseMs)
  history.run({ type: 'claim', session: session(2), count: 2 }, start + leaseMs)
  expect(history.trials.leasedTo(session(2)).map((trial) => [trial.ordinal, trial.attempt])).toEqual([
    [0, 2],
    [1, 2],
  ])
})

test('[LEASE2] a report beats a closed socket: the answer of an attempt that was not given to another counts', () => {
  const history = leased(1)
  history.run({ type: 'closed', session: session(1) }, start)
  history.run({ type: 'tick' }, start + graceMs)
  expect(history.trials.find(0)!.state).toBe('pending')
  history.run({ type: 'report', session: session(1), results: results(brief(0, 1)) }, start + graceMs + 1)
  expect(history.trials.find(0)!.state).toBe('done')
})

test('[LEASE3] a stale attempt changes no result, and what it cost is counted once', () => {
  const history = leased(1)
  history.run({ type: 'tick' }, start + leaseMs)
  history.run(hello(2), start + leaseMs)
  history.run({ type: 'claim', session: session(2), count: 1 }, start + leaseMs)
  const late = { type: 'report', session: session(1), results: results(brief(0, 1, 'right', 0.25)) } as const
  expect(typesOf(history.run(late, start + leaseMs + 5))).toEqual(['attempt_refused'])
  expect(history.run(late, start + leaseMs + 6)).toEqual([])
  expect(history.trials.find(0)).toMatchObject({ state: 'leased', attempt: 2 })
  expect(history.head().cost_usd).toBeCloseTo(0.25)
})

test('[LEASE4] after a reconnect leases the agent does not know of are free at once', () => {
  const history = leased(3)
  history.run(hello(1, [[1, 1]]), start + 10)
  expect(history.head().leased).toBe(1)
  expect(history.trials.find(0)).toMatchObject({ state: 'pending', deaths: 0 })
})

test('[LEASE5] the newest session of an agent wins', () => {
  const history = leased(2)
  const events = history.run({ type: 'hello', agent_id: 'agent-1', session: 'session-new', holding: [] }, start + 10)
  expect(typesOf(events)).toEqual(['agent_lost', 'trials_released', 'agent_joined'])
  expect(Object.keys(history.head().agents)).toEqual(['session-new'])
})

test('[LEASE6] a trial that took three agents down ends as agent/poison, the others go on', () => {
  const history = startHistory()
  for (let n = 0; n < maxDeaths; n++) {
    history.run({ type: 'hello', agent_id: 'agent', session: `session-${n}x`, holding: [] }, start + n)
    history.run({ type: 'claim', session: `session-${n}x`, count: 1, begins: true }, start + n)
  }
  history.run({ type: 'tick' }, start + leaseMs * 2)
  expect(history.trials.find(0)).toMatchObject({ state: 'done', failure: 'agent/poison' })
  expect(history.head().failures).toEqual({ 'agent/poison': 1 })
  const told = history.events.flatMap((event) => (event.event_type === 'benchmark_progress' ? event.data.results : []))
  expect(told).toMatchObject([{ ordinal: 0, attempt: maxDeaths, failure: 'agent/poison', retryable: true, cost_usd: null }])
  expect(history.head().status).toBe('running')
})

test('[LEASE7] a draining agent hands its trials back without a mark against them', () => {
  const history = leased(2)
  history.run({ type: 'leave', session: session(1) }, start + 5)
  expect(history.trials.find(0)).toMatchObject({ state: 'pending', deaths: 0 })
  expect(history.head().agents).toEqual({})
})

test('[RUN6] failures never count as wrong; too many make the run incomplete, all of them failed', () => {
  const some = leased(10)
  some.run(
    {
      type: 'report',
      session: session(1),
      results: results(...Array.from({ length: 10 }, (_, n) => brief(n, 1, n === 0 ? 'failed' : 'right'))),
    },
    start,
  )
  expect(some.head()).toMatchObject({
    status: 'incomplete',
    benchmarks: { alpha: { right: 9, wrong: 0, failed: 1, status: 'incomplete' } },
  })
  const all = leased(10)
  all.run({ type: 'report', session: session(1), results: results(...Array.from({ length: 10 }, (_, n) => brief(n, 1, 'failed'))) }, start)
  expect(all.head().status).toBe('failed')
  expect(typesOf(all.events).slice(-2)).toEqual(['benchmark_failed', 'run_failed'])
})

test('[RUN7] retry-failed runs only what failed, under a new attempt, and an old answer cannot come back', () => {
  const history = leased(10)
  const first = {
    type: 'report',
    session: session(1),
    results: results(...Array.from({ length: 10 }, (_, n) => brief(n, 1, n < 2 ? 'failed' : 'right'))),
  } as const
  history.run(first, start)
  history.run({ type: 'retry_failed' }, start + 1)
  expect(history.head()).toMatchObject({ status: 'running', done: 8, retried: 2 })
  expect(history.head().failures).toEqual({})
  const cost = history.head().cost_usd
  expect(history.run(first, start + 2)).toEqual([])
  expect(history.head().cost_usd).toBe(cost)
  history.run(hello(1), start + 3)
  history.run({ type: 'claim', session: session(1), count: 5 }, start + 3)
  expect(history.trials.leasedTo(session(1)).map((trial) => trial.ordinal)).toEqual([0, 1])
})

test('[RUN8] pausing hands out nothing, results in flight still count, resuming goes on', () => {
  const history = leased(1)
  history.run({ type: 'pause' }, start)
  expect(history.run({ type: 'claim', session: session(1), count: 1 }, start)).toEqual([])
  history.run({ type: 'report', session: session(1), results: results(brief(0, 1)) }, start)
  expect(history.head()).toMatchObject({ status: 'paused', done: 1 })
  history.run({ type: 'resume' }, start)
  expect(history.head().status).toBe('running')
})

test('[RUN9] a parked run shows why and goes on by itself at the reset time', () => {
  const history = leased(1)
  const until = new Date(start + 60_000).toISOString()
  history.run(
    {
      type: 'halt',
      session: session(1),
      failure: { at: 'provider', reason: 'payment-required', retryable: false, detail: 'Quota used up.', status: 402 },
      until,
    },
    start,
  )
  expect(history.head()).toMatchObject({
    status: 'paused',
    parked: { reason: 'provider/payment-required', detail: 'Quota used up.', until },
  })
  history.run({ type: 'renew', session: session(1) }, start + 20_000)
  history.run({ type: 'tick' }, start + 60_000)
  expect(history.head()).toMatchObject({ status: 'running', parked: null })
})

test('[RUN9] a run that has not begun is parked as well, and waits again when resumed', () => {
  const history = startHistory(testSpec())
  history.run(hello(1), start)
  const failure = { at: 'dataset', reason: 'text-unavailable', retryable: false, detail: 'No official text.', status: 404 } as const
  history.run({ type: 'halt', session: session(1), failure, until: null }, start)
  expect(history.head()).toMatchObject({ status: 'paused', parked: { reason: 'dataset/text-unavailable', until: null } })
  expect(history.run({ type: 'claim', session: session(1), count: 1 }, start)).toEqual([])
  history.run({ type: 'resume' }, start)
  expect(history.head()).toMatchObject({ status: 'queued', parked: null })
})

test('[RUN10] the budget is reserved before a trial is given out', () => {
  const history = startHistory(testSpec({ budget_usd: 0.03, max_tokens: 2000 }))
  expect(history.head().reserve_usd).toBeCloseTo(0.01)
  history.run(hello(1), start)
  history.run({ type: 'claim', session: session(1), count: 10 }, start)
  expect(history.head().leased).toBe(3)
  history.run(
    {
      type: 'report',
      session: session(1),
      results: results(brief(0, 1, 'right', 0.01), brief(1, 1, 'right', 0.01), brief(2, 1, 'right', 0.01)),
    },
    start,
  )
  history.run({ type: 'claim', session: session(1), count: 10 }, start)
  expect(history.head()).toMatchObject({ status: 'paused', parked: { reason: 'budget' } })
})

/** A run of ten trials at a cent each, parked when its three cents were spent. */
function parkedForBudget() {
  const history = startHistory(testSpec({ budget_usd: 0.03, max_tokens: 2000 }))
  history.run(hello(1), start)
  history.run({ type: 'claim', session: session(1), count: 10 }, start)
  const spent = [0, 1, 2].map((ordinal) => brief(ordinal, 1, 'right', 0.01))
  history.run({ type: 'report', session: session(1), results: results(...spent) }, start)
  history.run({ type: 'claim', session: session(1), count: 10 }, start)
  return history
}

test('[RUN70] raising or lifting the budget lets a run that was parked for it go on, and no further than it covers', () => {
  for (const [budget_usd, covered] of [
    [0.05, 2],
    [null, 7],
  ] as const) {
    const history = parkedForBudget()
    expect(history.head().parked).toMatchObject({ reason: 'budget' })
    expect(typesOf(history.run({ type: 'set_budget', budget_usd }, start))).toEqual(['run_budget_changed', 'run_resumed'])
    expect(history.head()).toMatchObject({ status: 'running', parked: null, budget_usd })
    history.run({ type: 'claim', session: session(1), count: 10 }, start)
    expect(history.head().leased).toBe(covered)
  }
})

test('[RUN70] a budget that covers no further trial is refused with the least that does, and so is resuming without one', () => {
  const history = parkedForBudget()
  const refused = refusal(history.head(), { type: 'set_budget', budget_usd: 0.039 })
  const least = Number(/at least \$([\d.]+)\./.exec(refused!)![1])
  expect(least).toBeCloseTo(0.04, 4)
  expect(refusal(history.head(), { type: 'resume' })).toBe(refused)
  expect(history.run({ type: 'set_budget', budget_usd: 0.039 }, start)).toEqual([])
  expect(refusal(history.head(), { type: 'set_budget', budget_usd: least })).toBeNull()
  history.run({ type: 'set_budget', budget_usd: least }, start)
  history.run({ type: 'claim', session: session(1), count: 10 }, start)
  expect(history.head().leased).toBe(1)
  // What is under way keeps its reserve: another trial needs a cent more.
  expect(refusal(history.head(), { type: 'set_budget', budget_usd: 0.045 })).toContain('$0.05.')
})

test('[RUN70] what its owner paused stays paused, an ended run keeps its budget, and without a price none can be set', () => {
  const history = parkedForBudget()
  history.run({ type: 'set_budget', budget_usd: 1 }, start)
  history.run({ type: 'pause' }, start)
  expect(typesOf(history.run({ type: 'set_budget', budget_usd: 2 }, start))).toEqual(['run_budget_changed'])
  expect(history.head()).toMatchObject({ status: 'paused', budget_usd: 2 })
  expect(refusal({ ...history.head(), cost_usd: null, reserve_usd: null }, { type: 'set_budget', budget_usd: 1 })).toContain('price')
  expect(refusal({ ...history.head(), cost_usd: null, reserve_usd: null }, { type: 'set_budget', budget_usd: null })).toBeNull()
  history.run({ type: 'cancel' }, start)
  expect(refusal(history.head(), { type: 'set_budget', budget_usd: 3 })).toContain('it is canceled')
})

test('[LEASE8] an old and the present attempt of one trial in the same report: the old is refused, the present counts', () => {
  const history = leased(1)
  history.run({ type: 'tick' }, start + leaseMs)
  history.run(hello(1), start + leaseMs)
  history.run({ type: 'claim', session: session(1), count: 1 }, start + leaseMs)
  history.run({ type: 'report', session: session(1), results: results(brief(0, 1), brief(0, 2)) }, start + leaseMs)
  expect(history.trials.find(0)).toMatchObject({ state: 'done', attempt: 2 })
  expect(history.head().cost_usd).toBeCloseTo(0.002)
})

test('[LEASE9] what a given-up attempt cost is counted when it reports after all, also after its trial was retried', () => {
  const history = startHistory()
  for (let n = 0; n < maxDeaths; n++) {
    history.run({ type: 'hello', agent_id: 'agent', session: `session-${n}x`, holding: [] }, start + n)
    history.run({ type: 'claim', session: `session-${n}x`, count: 1, begins: true }, start + n)
  }
  history.run({ type: 'tick' }, start + leaseMs * 2)
  history.run({ type: 'retry_failed' }, start + leaseMs * 2)
  const late = { type: 'report', session: 'session-2x', results: results(brief(0, maxDeaths, 'right', 0.5)) } as const
  expect(typesOf(history.run(late, start + leaseMs * 2 + 1))).toEqual(['attempt_refused'])
  expect(history.run(late, start + leaseMs * 2 + 2)).toEqual([])
  expect(history.head().cost_usd).toBeCloseTo(0.5)
})

test('[RUN100] an attempt that was given up on the way is counted once and is no result: its trial is open again at once, also after a cancellation', () => {
  const history = leased(2)
  const aborted = { ...brief(0, 1, 'failed', 0.25), failure: 'agent/aborted' }
  const report = { type: 'report', session: session(1), results: results(aborted) } as const
  expect(typesOf(history.run(report, start + 5))).toEqual(['trials_released', 'attempt_refused', 'agent_renewed'])
  expect(history.trials.find(0)).toMatchObject({ state: 'pending', attempt: 1, deaths: 0 })
  expect(typesOf(history.run(report, start + 6))).toEqual(['agent_renewed'])
  expect(history.head()).toMatchObject({ done: 0, leased: 1, failures: {} })
  expect(history.head().cost_usd).toBeCloseTo(0.25)
  history.run({ type: 'cancel' }, start + 7)
  const late = { ...brief(1, 1, 'failed', 0.5), failure: 'agent/aborted' }
  expect(typesOf(history.run({ type: 'report', session: session(1), results: results(late) }, start + 8))).toEqual(['attempt_refused'])
  expect(history.head()).toMatchObject({ status: 'canceled', lost: 0 })
  expect(history.head().cost_usd).toBeCloseTo(0.75)
})

test('[RUN100] what an attempt took whose trial is another agent’s by now is counted, and the other keeps it', () => {
  const history = leased(1)
  history.run({ type: 'tick' }, start + leaseMs)
  history.run(hello(2), start + leaseMs)
  history.run({ type: 'claim', session: session(2), count: 1 }, start + leaseMs)
  const aborted = { ...brief(0, 1, 'failed', 0.25), failure: 'agent/aborted' }
  history.run({ type: 'report', session: session(1), results: results(aborted) }, start + leaseMs + 1)
  expect(history.trials.find(0)).toMatchObject({ state: 'leased', attempt: 2 })
  expect(history.head()).toMatchObject({ lost: 0, leased: 1 })
  expect(history.head().cost_usd).toBeCloseTo(0.25)
})
