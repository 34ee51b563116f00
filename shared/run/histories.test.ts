import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublic } from '../contract/event.ts'
import { isTerminal } from '../contract/run.ts'
import type { TrialBrief, TrialOutcome } from '../contract/trial.ts'
import { draws } from '../testing/draws.ts'
import { apply, initialHead } from './apply.ts'
import type { Command } from './command.ts'
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
  const told = (ordinal: number, attempt: number, outcome: TrialOutcome): TrialBrief =>
    outcome === 'failed' && ordinal % 2
      ? { ...brief(ordinal, attempt, outcome), failure: 'sandbox/unavailable' }
      : brief(ordinal, attempt, outcome)
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
        results: results(...some.map((each) => told(each.ordinal, each.attempt, outcome))),
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
    draws(2000),
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

test('[RUN104] in any history what an attempt took is counted once, whether it ended the trial or was tried again', () => {
  histories(({ history }) => {
    const names = history.events.flatMap((event) => {
      if (event.event_type === 'attempt_refused') return [`${event.data.ordinal}:${event.data.attempt}`]
      if (event.event_type !== 'benchmark_progress') return []
      return event.data.results.filter(({ cost_usd }) => cost_usd !== null).map(({ ordinal, attempt }) => `${ordinal}:${attempt}`)
    })
    expect(new Set(names).size).toBe(names.length)
    expect(history.head().cost_usd).toBeCloseTo(0.001 * names.length)
    expect(history.head().lost).toBeGreaterThanOrEqual(0)
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
