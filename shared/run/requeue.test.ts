import { expect, test } from 'vitest'
import { benchmarkAt } from './apply.ts'
import type { Command } from './command.ts'
import { refusal } from './decide.ts'
import { describe } from './stream.ts'
import { brief, type History, results, startHistory } from './testing/history.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const hello: Command = { type: 'hello', agent_id: 'agent-1', session: 'session-1', holding: [] }

/** A canceled run: two trials right, one failed, one leased, the rest never asked. */
function canceled(): History {
  const history = startHistory()
  history.run(hello, start)
  history.run({ type: 'claim', session: 'session-1', count: 4 }, start)
  const reported = results(brief(0, 1, 'right', 0.5), brief(1, 1, 'right', 0.5), brief(2, 1, 'failed', 0.25))
  history.run({ type: 'report', session: 'session-1', results: reported }, start + 1)
  history.run({ type: 'cancel' }, start + 2)
  return history
}

test('[LINE6] a requeued canceled run asks what has no result and keeps what has one', () => {
  const history = canceled()
  const before = history.head()
  expect(before).toMatchObject({ status: 'canceled', done: 3, leased: 0 })
  const events = history.run({ type: 'requeue' }, start + 3)
  expect(events.map(({ event_type }) => event_type)).toEqual(['run_requeued', 'benchmark_resumed'])
  const open = history.head()
  expect(open).toMatchObject({ status: 'running', done: 2, retried: 1, completed_at: null, failures: {} })
  expect(open.cost_usd).toBe(before.cost_usd)
  expect(Object.values(open.benchmarks)[0]).toMatchObject({ status: 'running', right: 2, failed: 0 })
  expect(Object.values(open.benchmarks).some(({ status }) => status === 'skipped')).toBe(false)
  history.run(hello, start + 4)
  history.run({ type: 'claim', session: 'session-1', count: 1000 }, start + 4)
  const asked = history.trials.leasedTo('session-1')
  expect(asked).toHaveLength(open.total - 2)
  expect(asked.slice(0, 2).map(({ ordinal, attempt }) => [ordinal, attempt])).toEqual([
    [2, 3],
    [3, 2],
  ])
  const rest = asked.map(({ ordinal, attempt }) => brief(ordinal, attempt, 'right', 0))
  for (const name of open.order) {
    const own = rest.filter(({ ordinal }) => benchmarkAt(open, ordinal) === name)
    history.run({ type: 'report', session: 'session-1', results: own }, start + 5)
  }
  expect(history.head()).toMatchObject({ status: 'succeeded', done: open.total })
  expect(history.head().cost_usd).toBe(before.cost_usd)
})

test('[LINE6] a canceled run without failures goes on, and its event says so', () => {
  const history = startHistory()
  history.run({ type: 'cancel' }, start)
  const [event] = history.run({ type: 'requeue' }, start + 1)
  expect([event!.event_type, describe(event!)]).toEqual(['run_requeued', 'The run goes on after its cancellation'])
  expect(history.head()).toMatchObject({ status: 'queued', done: 0, retried: 0 })
  expect(Object.values(history.head().benchmarks).every(({ status }) => status === 'pending')).toBe(true)
})

test('[LINE6] any other run is requeued as its failed trials are retried', () => {
  const history = startHistory()
  expect(refusal(history.head(), { type: 'requeue' })).toBe('No trial of this run has failed.')
  history.run({ type: 'cancel' }, start)
  expect(refusal(history.head(), { type: 'requeue' })).toBeNull()
  expect(refusal(history.head(), { type: 'retry_failed' })).toMatch(/canceled/)
})
