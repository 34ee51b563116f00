import { expect, test } from 'vitest'
import type { Command } from '#shared/run/command.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { brief, results } from '#shared/run/testing/history.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openLiveRun } from './live-run.ts'
import { noReport } from './run-records.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const session = 'session-1'

/** A run of twelve trials: the first was lost with its agent and done by the next, the third failed, and what `end` says came then. */
function endedRun(...end: Command[]) {
  const storage = openSqliteStorage()
  const live = openLiveRun(storage)
  live.plan(testSpec({ benchmarks: [{ name: 'alpha', items: 12, epochs: 1 }] }))
  const run = (command: Command, atMs = leaseMs) => live.run(command, noReport, atMs)
  run({ type: 'hello', agent_id: 'agent-0', session: 'session-0', holding: [] }, 0)
  run({ type: 'claim', session: 'session-0', count: 2 }, 0)
  run({ type: 'tick' })
  run({ type: 'hello', agent_id: 'agent', session, holding: [] })
  run({ type: 'claim', session, count: 12 })
  run({ type: 'report', session, results: results(brief(0, 2), brief(2, 1, 'failed')) })
  for (const command of end) run(command)
  const trials = () => Array.from({ length: 12 }, (_, ordinal) => live.rows.trials.find(ordinal)!)
  return { live, storage, run, trials }
}
const rest: Command = {
  type: 'report',
  session,
  results: results(brief(1, 2, 'wrong'), ...Array.from({ length: 9 }, (_, n) => brief(n + 3, 1))),
}
const withoutVerdict = (trials: object[]) =>
  trials.map((trial) => ('failure' in trial && trial.failure === null ? { ...trial, outcome: null, group: null } : trial))

test.each([
  ['all done', [rest]],
  ['canceled on the way', [{ type: 'cancel' }]],
] as [string, Command[]][])('[RUN102] how the trials of an ended run stand outlives its storage: %s', (_name, end) => {
  const { live, storage, trials } = endedRun(...end)
  const [before, head] = [trials(), live.head()]
  live.rows.giveBack()
  expect(storage.sql.exec('SELECT * FROM trial').toArray()).toEqual([])
  expect(storage.sql.exec('SELECT * FROM kept').toArray().length).toBeLessThan(8)
  live.rows.giveBack() // once more, as after a restart
  expect(openLiveRun(storage).head()).toEqual(head)
  live.rows.restoreTrials()
  expect(trials()).toEqual(withoutVerdict(before))
  expect([live.rows.trials.lost(0, 1), live.rows.trials.lost(1, 1)]).toEqual([true, true])
})

test('[RUN102] a run that gave its storage back is retried, and what comes late or again is told apart', () => {
  const { live, run } = endedRun(rest)
  live.rows.giveBack()
  const cost = live.head()!.cost_usd!
  const again = run({ type: 'report', session, results: results(brief(5, 1)) })
  expect(again.filter(({ event_type }) => event_type !== 'agent_renewed')).toEqual([])
  live.rows.giveBack()
  run({ type: 'report', session: 'session-0', results: results(brief(0, 1, 'right', 0.5)) })
  expect(live.head()!.cost_usd).toBeCloseTo(cost + 0.5)
  live.rows.giveBack()
  run({ type: 'retry_failed' })
  expect(live.head()).toMatchObject({ status: 'running', done: 11, retried: 1 })
  run({ type: 'hello', agent_id: 'agent', session, holding: [] })
  run({ type: 'claim', session, count: 5 })
  expect(live.rows.trials.leasedTo(session).map(({ ordinal, attempt }) => [ordinal, attempt])).toEqual([[2, 3]])
})
