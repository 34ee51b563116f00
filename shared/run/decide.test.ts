import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublic } from '../contract/event.ts'
import { isTerminal } from '../contract/run.ts'
import { apply, initialHead } from './apply.ts'
import type { Command } from './command.ts'
import { graceMs, leaseMs, maxDeaths } from './lease.ts'
import { planTrials } from './plan.ts'
import { brief, type History, results, startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'
import { createMemoryTrials } from './trial-store.ts'

const session = (n: number) => `session-${n}`
const hello = (n: number, holding: [number, number][] = []): Command => ({
  type: 'hello',
  agent_id: `agent-${n}`,
  session: session(n),
  holding,
})
const typesOf = (events: { event_type: string }[]) => events.map((event) => event.event_type)

type Step = { kind: string; agent: number; size: number; pick: number; wait: number }
const step = fc.record({
  kind: fc.constantFrom(
    'hello',
    'claim',
    'report',
    'report',
    'report',
    'again',
    'release',
    'leave',
    'closed',
    'renew',
    'tick',
    'pause',
    'resume',
    'cancel',
    'retry_failed',
    'halt',
  ),
  agent: fc.integer({ min: 0, max: 2 }),
  size: fc.integer({ min: 1, max: 6 }),
  pick: fc.nat(),
  wait: fc.constantFrom(0, 5, 900, 12_000, 31_000),
})

/** Plays random steps; agents report what they were once given, in any order, also twice and also far too late. */
function play(steps: Step[], weights: { cancel: boolean }): { history: History; accepted: Map<number, number>; refusedTwice: number } {
  const history = startHistory(
    testSpec({
      benchmarks: [
        { name: 'alpha', items: 7, epochs: 2 },
        { name: 'beta', items: 5, epochs: 1 },
      ],
      concurrency: 8,
    }),
  )
  const given: { agent: number; ordinal: number; attempt: number }[] = []
  const accepted = new Map<number, number>()
  let now = Date.parse('2026-01-01T00:00:00Z')
  let refusedTwice = 0
  const refused = new Set<string>()
  for (const { kind, agent, size, pick, wait } of steps) {
    now += wait
    const mine = given.filter((each) => each.agent === agent)
    const some = mine.length ? Array.from({ length: size }, (_, i) => mine[(pick + i) % mine.length]!) : []
    const outcome = pick % 5 === 0 ? 'failed' : pick % 2 ? 'right' : 'wrong'
    let command: Command
    if (kind === 'hello')
      command = hello(
        agent,
        some.map((each) => [each.ordinal, each.attempt]),
      )
    else if (kind === 'claim') command = { type: 'claim', session: session(agent), count: size }
    else if (kind === 'report' || kind === 'again')
      command = {
        type: 'report',
        session: session(agent),
        results: results(...some.map((each) => brief(each.ordinal, each.attempt, outcome))),
      }
    else if (kind === 'release')
      command = { type: 'release', session: session(agent), leases: some.map((each) => [each.ordinal, each.attempt]) }
    else if (kind === 'halt')
      command = {
        type: 'halt',
        session: session(agent),
        failure: { at: 'provider', reason: 'payment-required', retryable: false, detail: 'x', status: 402 },
        until: new Date(now + 1000).toISOString(),
      }
    else if (kind === 'tick' || kind === 'pause' || kind === 'resume' || kind === 'retry_failed') command = { type: kind }
    else if (kind === 'cancel') command = weights.cancel ? { type: 'cancel' } : { type: 'tick' }
    else command = { type: kind as 'leave', session: session(agent) }
    for (const event of history.run(command, now)) {
      if (event.event_type === 'trials_leased') for (const [ordinal, attempt] of event.data.leases) given.push({ agent, ordinal, attempt })
      if (event.event_type === 'benchmark_progress') {
        for (const result of event.data.results) {
          if (accepted.has(result.ordinal)) throw new Error(`trial ${result.ordinal} finished twice`)
          accepted.set(result.ordinal, result.attempt)
        }
      }
      if (event.event_type === 'run_requeued') for (const { ordinal } of event.data.retried) accepted.delete(ordinal)
      if (event.event_type === 'attempt_refused') {
        const key = `${event.data.ordinal}:${event.data.attempt}`
        if (refused.has(key)) refusedTwice++
        refused.add(key)
      }
    }
  }
  return { history, accepted, refusedTwice }
}

const histories = (check: (played: ReturnType<typeof play>) => void, cancel = true) =>
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 90 }), (steps) => check(play(steps, { cancel }))),
    { numRuns: 2000 },
  )

test('[RUN1] in any history a trial has at most one lease and one result, and tallies agree with rows', () => {
  histories(({ history, accepted, refusedTwice }) => {
    const head = history.head()
    const rows = history.trials.rows()
    expect(refusedTwice).toBe(0)
    expect(head.done).toBe(rows.filter((row) => row.state === 'done').length)
    expect(head.leased).toBe(rows.filter((row) => row.state === 'leased').length)
    expect(head.done).toBe(accepted.size)
    const tallied = Object.values(head.benchmarks).reduce((sum, tally) => sum + tally.right + tally.wrong + tally.failed, 0)
    expect(tallied).toBe(head.done)
    for (const row of rows) if (row.state === 'done') expect(row.attempt).toBe(accepted.get(row.ordinal))
  })
})

test('[RUN2] folding all events again gives the same state and rows', () => {
  histories(({ history }) => {
    const trials = createMemoryTrials(planTrials(history.spec))
    let head = initialHead(history.spec)
    for (const event of history.events) {
      head = apply(head, event)
      trials.write(event)
    }
    expect(head).toEqual(history.head())
    expect(trials.rows()).toEqual(history.trials.rows())
  })
})

test('[EVT1] public events are numbered from one without gaps', () => {
  histories(({ history }) => {
    expect(history.head().seq).toBe(history.events.filter(isPublic).length)
  })
})

test('[RUN3] a cancellation always ends as canceled, once, and nothing is leased or accepted afterwards', () => {
  histories(({ history }) => {
    const at = history.events.findIndex((event) => event.event_type === 'run_canceled')
    if (at < 0) return
    expect(history.head().status).toBe('canceled')
    const later = new Set(typesOf(history.events.slice(at + 1)))
    expect([...later].filter((type) => type !== 'attempt_refused')).toEqual([])
    expect(history.head().leased).toBe(0)
  })
})

test('[RUN4] a run ends exactly once unless its failures are retried', () => {
  histories(({ history }) => {
    const ends = history.events.filter(
      (event) => event.event_type === 'run_completed' || event.event_type === 'run_failed' || event.event_type === 'run_canceled',
    )
    const retries = history.events.filter((event) => event.event_type === 'run_requeued').length
    expect(ends.length).toBeLessThanOrEqual(1 + retries)
    expect(isTerminal(history.head().status)).toBe(ends.length > 0 && history.head().completed_at !== null)
  })
})

test('[RUN5] whatever happened, one patient agent brings the run to its end', () => {
  histories(({ history }) => {
    let now = Date.parse('2030-01-01T00:00:00Z')
    if (isTerminal(history.head().status)) return
    history.run({ type: 'tick' }, now)
    if (history.head().status === 'paused') history.run({ type: 'resume' }, now)
    history.run({ type: 'hello', agent_id: 'patient', session: 'patient-1', holding: [] }, now)
    for (let turn = 0; turn < 50 && !isTerminal(history.head().status); turn++) {
      now += 100
      for (const event of history.run({ type: 'claim', session: 'patient-1', count: 5 }, now)) {
        if (event.event_type !== 'trials_leased') continue
        history.run(
          {
            type: 'report',
            session: 'patient-1',
            results: results(...event.data.leases.map(([ordinal, attempt]) => brief(ordinal, attempt))),
          },
          now,
        )
      }
    }
    expect(isTerminal(history.head().status)).toBe(true)
    expect(history.head().done).toBe(history.head().total)
  }, false)
})

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
    history.run({ type: 'claim', session: `session-${n}x`, count: 1 }, start + n)
  }
  history.run({ type: 'tick' }, start + leaseMs * 2)
  expect(history.trials.find(0)).toMatchObject({ state: 'done', failure: 'agent/poison' })
  expect(history.head().failures).toEqual({ 'agent/poison': 1 })
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
  expect(history.head()).toMatchObject({ status: 'running', done: 8, retried: 2, failures: {} })
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
