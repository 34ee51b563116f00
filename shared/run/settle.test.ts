import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { brief, results, startHistory } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const session = (n: number) => `session-${n}`
const hello = (n: number): Command => ({ type: 'hello', agent_id: `agent-${n}`, session: session(n), holding: [] })

test('[RUN6] exactly the allowed share of failures still succeeds, one more makes the run incomplete', () => {
  for (const [failures, status] of [
    [1, 'succeeded'],
    [2, 'incomplete'],
  ] as const) {
    const history = startHistory(testSpec({ benchmarks: [{ name: 'alpha', items: 100, epochs: 1 }], concurrency: 100 }))
    history.run(hello(1), start)
    history.run({ type: 'claim', session: session(1), count: 100 }, start)
    const briefs = Array.from({ length: 100 }, (_, n) => brief(n, 1, n < failures ? 'failed' : 'right'))
    history.run({ type: 'report', session: session(1), results: results(...briefs) }, start)
    expect(history.head()).toMatchObject({ status, benchmarks: { alpha: { status, failed: failures } } })
  }
})

test('[RUN6] the score of a run is the mean over benchmarks that have one; a benchmark of failures alone makes it incomplete', () => {
  const benchmarks = ['alpha', 'beta', 'gamma'].map((name) => ({ name, items: 2, epochs: 1 }))
  const history = startHistory(testSpec({ benchmarks }))
  history.run(hello(1), start)
  history.run({ type: 'claim', session: session(1), count: 6 }, start)
  const outcomes = ['right', 'wrong', 'right', 'right', 'failed', 'failed'] as const
  const events = history.run({ type: 'report', session: session(1), results: outcomes.map((outcome, n) => brief(n, 1, outcome)) }, start)
  const of = (type: string) =>
    events.filter((event) => event.event_type === type).map(({ benchmark_name, data }) => ({ benchmark_name, ...data }))
  expect(of('benchmark_completed')).toMatchObject([
    { benchmark_name: 'alpha', status: 'succeeded', completed: 2, total: 2, metrics: { accuracy: 0.5 } },
    { benchmark_name: 'beta', status: 'succeeded', metrics: { accuracy: 1 } },
  ])
  expect(of('benchmark_failed')).toMatchObject([{ benchmark_name: 'gamma', completed: 2, total: 2 }])
  expect(of('run_completed')).toMatchObject([{ status: 'incomplete', overall_score: 0.75, completed_benchmarks: 2 }])
})

test('[EVT20] progress says how far a benchmark is and how it stands, from the first result on', () => {
  const history = startHistory()
  history.run(hello(1), start)
  history.run({ type: 'claim', session: session(1), count: 4 }, start)
  const report = (...outcomes: [number, 'right' | 'wrong' | 'failed'][]) =>
    history
      .run({ type: 'report', session: session(1), results: outcomes.map(([n, outcome]) => brief(n, 1, outcome)) }, start)
      .filter((event) => event.event_type === 'benchmark_progress')
      .map(({ data }) => data)
  const started = history.events.find((event) => event.event_type === 'benchmark_started')
  expect(started).toMatchObject({ benchmark_name: 'alpha', data: { completed: 0, total: 10 } })
  expect(report([0, 'failed'])).toMatchObject([{ completed: 1, total: 10, current_accuracy: null, unleased: 0, recovered: 0 }])
  expect(report([1, 'right'], [2, 'wrong'], [3, 'right'])).toMatchObject([{ completed: 4, current_accuracy: 2 / 3 }])
})
