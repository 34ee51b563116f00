import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { briefOf } from '#shared/contract/trial.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openLiveRun } from './live-run.ts'
import { noReport, toReport } from './run-records.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const session = 'session-1'

/** A run of four trials, two of them leased, in storage whose writes fail when the query matches `full.at`. */
function open() {
  const storage = openSqliteStorage()
  const full: { at: RegExp | null } = { at: null }
  const { exec } = storage.sql
  storage.sql.exec = ((query: string, ...bindings: unknown[]) => {
    if (full.at?.test(query)) throw new Error('the disk is full')
    return (exec as (...given: unknown[]) => unknown)(query, ...bindings)
  }) as typeof exec
  const live = openLiveRun(storage)
  live.plan(testSpec({ benchmarks: [{ name: 'alpha', items: 4, epochs: 1 }] }))
  live.run({ type: 'hello', agent_id: 'agent', session, holding: [] }, noReport, 0)
  live.run({ type: 'claim', session, count: 2 }, noReport, 0)
  const records = live.rows.leases([0, 1].map((ordinal) => [ordinal, 1])).map(
    (lease): PackedRecord => ({ ...(exampleTrial(0).record as PackedRecord), ...lease }), // it has no opening, so both forms are the same
  )
  const report = () => live.run({ type: 'report', session, results: records.map(briefOf) }, toReport(records, {}), 1_000)
  return { live, report, full, storage, records }
}
const seen = ({ live }: Pick<ReturnType<typeof open>, 'live'>) => ({
  head: live.head(),
  trials: [0, 1].map((ordinal) => live.rows.trials.find(ordinal)),
  events: live.rows.events(0, 99),
  results: [[...live.rows.results(0, 99)].length, live.rows.lastResult()],
})

test.each([/^INSERT INTO event/, /INSERT INTO result/, /^INSERT INTO meta/])(
  '[RUN13] when a write fails (%s) nothing of its command stays, in rows or in memory, and the command can come again',
  (at) => {
    const { live, report, full, storage } = open()
    const before = seen({ live })
    live.rows.lookAhead([0, 1])
    full.at = at
    expect(report).toThrow('the disk is full')
    full.at = null
    expect(seen({ live })).toEqual(before)
    expect(seen({ live: openLiveRun(storage) })).toEqual(before)
    report()
    const after = seen({ live })
    expect([after.head?.done, after.results]).toEqual([2, [2, 2]])
    expect(after.events.map(({ id }) => id)).toEqual(after.events.map((_, index) => index + 1))
    expect(seen({ live: openLiveRun(storage) })).toEqual(after)
  },
)

test('[FLEET113] a record is stored as the text that came with it, and as one made anew where none came', () => {
  const { live, records } = open()
  const told = toReport(records, {}, [`${JSON.stringify(records[0])} `])
  live.run({ type: 'report', session, results: records.map(briefOf) }, told, 1_000)
  expect([...live.rows.results(0, 9)].map(({ record }) => record)).toEqual([`${JSON.stringify(records[0])} `, JSON.stringify(records[1])])
})

test('[RUN13] when the last write of a command fails its state goes back too', () => {
  const { live, full, storage } = open()
  const before = seen({ live })
  full.at = /^DELETE FROM meta/
  expect(() => live.run({ type: 'cancel' }, noReport, 1_000)).toThrow('the disk is full')
  full.at = null
  expect([live.rows.head(), seen({ live })]).toEqual([before.head, before])
  expect(seen({ live: openLiveRun(storage) })).toEqual(before)
})
