import { expect, test } from 'vitest'
import type { TrialBrief } from '../contract/trial.ts'
import type { Command } from './command.ts'
import { graceMs, maxDeaths } from './lease.ts'
import { describe } from './stream.ts'
import { brief, type History, startHistory } from './testing/history.ts'
import { isTriedAgain } from './try-again.ts'

const session = 'session-1'
const start = Date.parse('2026-01-01T00:00:00Z')
const broke = (ordinal: number, attempt: number, failure = 'sandbox/unavailable', retryable = true): TrialBrief => ({
  ...brief(ordinal, attempt, 'failed', 0.25),
  failure,
  retryable,
})
const report = (...results: TrialBrief[]): Command => ({ type: 'report', session, results })
const claim: Command = { type: 'claim', session, count: 1, begins: true }
const typesOf = (events: { event_type: string }[]) => events.map((event) => event.event_type)

function begun(): History {
  const history = startHistory()
  history.run({ type: 'hello', agent_id: 'agent-1', session, holding: [] }, start)
  history.run(claim, start)
  return history
}

test('[RUN104] only failures that may pass, of the sandbox, the agent or the store, are tried again by themselves', () => {
  const cases: [string | null, boolean, boolean][] = [
    ['sandbox/unavailable', true, true],
    ['agent/disk-full', true, true],
    ['store/unavailable', true, true],
    ['sandbox/unavailable', false, false],
    ['store/too-large', false, false],
    ['provider/overloaded', true, false],
    ['judge/overloaded', true, false],
    ['dataset/unavailable', true, false],
    [null, false, false],
  ]
  for (const [failure, retryable, again] of cases) expect([failure, isTriedAgain({ failure, retryable }, 0)]).toEqual([failure, again])
  expect(isTriedAgain({ failure: 'sandbox/unavailable', retryable: true }, maxDeaths - 1)).toBe(false)
})

test('[RUN104] such a trial is open again at once, what it took is counted once, and its last failure stands', () => {
  const history = begun()
  for (let attempt = 1; attempt < maxDeaths; attempt++) {
    const events = history.run(report(broke(0, attempt)), start)
    expect(typesOf(events)).toEqual(['trials_released', 'attempt_refused', 'agent_renewed'])
    expect(describe(events[1]!)).toBe('Trial 0 is tried again after sandbox/unavailable')
    expect(history.trials.find(0)).toMatchObject({ state: 'pending', deaths: attempt })
    // What comes again, also behind the last attempt that there is, changes nothing.
    expect(typesOf(history.run(report(broke(0, attempt)), start))).toEqual(['agent_renewed'])
    expect(history.head()).toMatchObject({ leased: 0, lost: 0, done: 0, failures: {}, cost_usd: 0.25 * attempt })
    history.run(claim, start)
    expect(history.trials.find(0)).toMatchObject({ state: 'leased', attempt: attempt + 1 })
  }
  history.run(report(broke(0, maxDeaths, 'store/unavailable')), start)
  expect(history.trials.find(0)).toMatchObject({ state: 'done', failure: 'store/unavailable' })
  expect(history.head()).toMatchObject({ done: 1, failures: { 'store/unavailable': 1 }, cost_usd: 0.25 * maxDeaths })
})

test('[RUN104] an answer after such a failure counts, and a retry of the failed begins anew', () => {
  const history = begun()
  history.run(report(broke(0, 1)), start)
  history.run(claim, start)
  history.run(report(brief(0, 2)), start)
  expect(history.trials.find(0)).toMatchObject({ state: 'done', outcome: 'right', attempt: 2 })
  const tired = begun()
  for (let attempt = 1; attempt <= maxDeaths; attempt++) {
    tired.run(report(broke(0, attempt)), start)
    tired.run(claim, start)
  }
  tired.run({ type: 'retry_failed' }, start)
  expect(tired.trials.find(0)).toMatchObject({ state: 'pending', deaths: 0 })
})

test('[RUN104] a failure that comes after its lease has gone is counted, and leaves the trial with whoever may have it next', () => {
  const history = begun()
  history.run({ type: 'closed', session }, start)
  history.run({ type: 'tick' }, start + graceMs)
  expect(history.head()).toMatchObject({ lost: 1, leased: 0 })
  expect(typesOf(history.run(report(broke(0, 1)), start + graceMs))).toEqual(['attempt_refused'])
  expect(history.head()).toMatchObject({ lost: 0, cost_usd: 0.25 })
  expect(history.trials.find(0)).toMatchObject({ state: 'pending', deaths: 1 })
})
