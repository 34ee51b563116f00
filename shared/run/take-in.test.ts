import { expect, test } from 'vitest'
import type { TrialBrief } from '../contract/trial.ts'
import { noUsage } from '../contract/usage.ts'
import { apply, initialHead } from './apply.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'
import { planTrials } from './plan.ts'
import { testSpec } from './testing/test-spec.ts'
import { createMemoryTrials } from './trial-store.ts'

function openRun() {
  const spec = testSpec()
  const planned = [...planTrials(spec)]
  const trials = createMemoryTrials(planned)
  let head = initialHead(spec)
  const run = (command: Command, nowMs: number): string[] => {
    const events = decide(head, trials, command, nowMs)
    for (const event of events) {
      head = apply(head, event)
      trials.write(event)
    }
    return events.map((event) => `${event.event_type} ${Date.parse(event.at)}`)
  }
  const brief = (ordinal: number): TrialBrief => ({
    ...{ ordinal, attempt: 1, item_id: planned[ordinal]!.item_id, epoch: planned[ordinal]!.epoch, group: null },
    ...{ outcome: 'right', score: 1, answer: '1', expected: '1', failure: null, retryable: false, flags: [] },
    ...{ latency_ms: null, ttft_ms: null, usage: noUsage, cost_usd: null },
  })
  return { run, brief, planned, head: () => head }
}

test('[RUN125] results that were given elsewhere are taken in once each, without leases, at the times they are told with', () => {
  const { run, brief, planned, head } = openRun()
  expect(run({ type: 'import', results: [] }, 1000)).toEqual(['run_started 1000'])
  expect(run({ type: 'import', results: [brief(0), brief(0)] }, 2000)).toEqual(['benchmark_started 2000', 'benchmark_progress 2000'])
  expect(run({ type: 'import', results: [brief(0)] }, 3000)).toEqual([])
  expect(head()).toMatchObject({ status: 'running', done: 1, leased: 0, started_at: '1970-01-01T00:00:01.000Z' })
  for (let ordinal = 1; ordinal < planned.length; ordinal++) run({ type: 'import', results: [brief(ordinal)] }, 4000)
  expect(head()).toMatchObject({ status: 'succeeded', done: planned.length, leased: 0, lost: 0, completed_at: '1970-01-01T00:00:04.000Z' })
  expect(run({ type: 'import', results: [brief(0)] }, 5000)).toEqual([])
})

test('[RUN125] a trial that somebody has at work here is left to him', () => {
  const { run, brief, head } = openRun()
  run({ type: 'hello', agent_id: 'agent', session: 'session-1', holding: [] }, 1000)
  run({ type: 'claim', session: 'session-1', count: 1 }, 1000)
  expect(run({ type: 'import', results: [brief(0)] }, 2000)).toEqual([])
  expect(head()).toMatchObject({ leased: 1, done: 0 })
})
