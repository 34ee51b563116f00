import { expect, test } from 'vitest'
import { DatabaseAway } from '#db/store.ts'
import { initialHead } from '#shared/run/apply.ts'
import { exampleEvent, exampleSpec, exampleTrials } from '../testing/example-records.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import { createDrain } from './drain.ts'
import { openRunRows } from './run-rows.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

/** The rows of a run with four results and two events that have not left yet. */
function fullRows() {
  const rows = openRunRows(openSqliteStorage())
  const spec = exampleSpec()
  rows.plan(spec, { ...initialHead(spec), seq: 2 })
  for (const id of [1, 2]) rows.append(exampleEvent(id))
  for (const { record, finished_at } of exampleTrials()) rows.addResult(2, finished_at, JSON.stringify(record))
  return { rows, spec }
}

test('[DB47] everything leaves once, and nothing is pending after it', async () => {
  const { rows, spec } = fullRows()
  const record = emptyRecord()
  const drain = createDrain(rows, memoryStore(record), expect.unreachable)
  expect(drain.pending()).toBe(true)
  await drain.run()
  await drain.run()
  expect(record.trials.get(spec.run_id)?.map((trial) => trial.record)).toEqual(exampleTrials().map((trial) => trial.record))
  expect(record.events.get(spec.run_id)?.map((event) => event.id)).toEqual([1, 2])
  expect(drain.pending()).toBe(false)
})

test('[DB47] every conflict is an alarm that names the trial, and the batch counts as drained', async () => {
  const { rows, spec } = fullRows()
  const store = memoryStore(emptyRecord())
  const alarms: string[] = []
  const conflicts = ['mmlu_pro/0:0', 'mmlu_pro/3:0']
  const drain = createDrain(rows, { ...store, drain: async () => ({ written: 2, conflicts }) }, (line) => alarms.push(line))
  await drain.run()
  expect(alarms).toEqual(conflicts.map((trial) => `run ${spec.run_id}: the record has another result for ${trial} under the same attempt`))
  expect(drain.pending()).toBe(false)
})

test('[DB47] while the database is away everything stays and the next attempt is later', async () => {
  const { rows } = fullRows()
  const away = { ...memoryStore(emptyRecord()), drain: () => Promise.reject(new DatabaseAway('away')) }
  const drain = createDrain(rows, away, expect.unreachable)
  await drain.run()
  expect(drain.pending()).toBe(true)
  expect(drain.retryAt()).toBeGreaterThan(0)
  expect([...rows.results(0, 10)]).toHaveLength(4)
})
