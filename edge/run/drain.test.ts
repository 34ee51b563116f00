import { afterEach, expect, test, vi } from 'vitest'
import type { Store, StoredTrial } from '#db/store.ts'
import { DatabaseAway } from '#db/store.ts'
import { initialHead } from '#shared/run/apply.ts'
import { openingHash } from '#shared/run/openings.ts'
import type { Log } from '#shared/telemetry/log.ts'
import { exampleEvent, exampleSpec, exampleTrials } from '../testing/example-records.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import { createDrain } from './drain.ts'
import { openRunRows } from './run-rows.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

afterEach(() => vi.useRealTimers())

const clock = { now: () => Date.now() }
/** Waiting is said; an error is none of the tests' but one. */
const strict: Log = (level) => void (level === 'error' && expect.unreachable())

type Batch = Parameters<Store['drain']>[0]
/** A record that asks `look` before it takes a batch. */
function watched(look: (batch: Batch) => unknown): Store {
  const store = memoryStore(emptyRecord())
  return {
    ...store,
    async drain(batch) {
      await look(batch)
      return store.drain(batch)
    },
  }
}

/** The rows of a run with four results and two events that have not left yet. */
function fullRows() {
  const rows = openRunRows(openSqliteStorage())
  const spec = exampleSpec()
  rows.plan(spec, { ...initialHead(spec), seq: 2 })
  for (const id of [1, 2]) rows.append(exampleEvent(id))
  for (const { record, finished_at } of exampleTrials()) rows.addResults(2, finished_at, [JSON.stringify(record)])
  return { rows, spec }
}

test('[DB47] everything leaves once, and nothing is pending after it', async () => {
  const { rows, spec } = fullRows()
  const record = emptyRecord()
  const drain = createDrain(rows, memoryStore(record), clock, strict)
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
  const drain = createDrain(rows, { ...store, drain: async () => ({ written: 2, conflicts }) }, clock, (level, line, fields) => {
    if (level === 'error') alarms.push(`${fields?.run_id}: ${line}`)
  })
  await drain.run()
  expect(alarms).toEqual(conflicts.map((trial) => `${spec.run_id}: the record has another result for ${trial} under the same attempt`))
  expect(drain.pending()).toBe(false)
})

test('[DB47] while the database is away everything stays and the next attempt is later', async () => {
  const { rows } = fullRows()
  const away = { ...memoryStore(emptyRecord()), drain: () => Promise.reject(new DatabaseAway('away')) }
  const drain = createDrain(rows, away, clock, strict)
  await drain.run()
  expect(drain.pending()).toBe(true)
  expect(drain.retryAt()).toBeGreaterThan(0)
  expect([...rows.results(0, 10)]).toHaveLength(4)
})

test('[RUN82] a drain that would not end while results keep coming breaks off in time, and says that there is more', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const { rows } = fullRows()
  let asked = 0
  let busy = true
  const record = JSON.stringify(exampleTrials()[0]!.record)
  const store = watched(() => {
    asked++
    vi.setSystemTime(Date.now() + 400)
    if (busy) rows.addResults(2, '2026-01-02T00:00:00.000Z', [record])
  })
  const drain = createDrain(rows, store, clock, () => undefined)
  expect([await drain.run(1000), asked, drain.pending()]).toEqual([true, 3, true])
  busy = false
  expect([await drain.run(1000), drain.pending()]).toEqual([false, false])
})

test('[DB47] the wait between attempts doubles from half a second up to thirty, and begins anew after an answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const { rows } = fullRows()
  let away = true
  let asked = 0
  const store = watched(() => {
    asked++
    if (away) throw new DatabaseAway('away')
  })
  const drain = createDrain(rows, store, clock, strict)
  const waits: number[] = []
  for (let attempt = 0; attempt < 9; attempt++) {
    await drain.run()
    waits.push(drain.retryAt() - Date.now())
    vi.setSystemTime(drain.retryAt() - 1)
    await drain.run() // too early: nothing is asked
    vi.setSystemTime(drain.retryAt())
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(asked).toBe(9)
  away = false
  await drain.run()
  expect(drain.pending()).toBe(false)
  away = true
  rows.append(exampleEvent(3))
  rows.saveHead({ ...rows.head()!, seq: 3 })
  await drain.run()
  expect(drain.retryAt() - Date.now()).toBe(500)
})

test('[DB47] a drain that is under way is not begun again', async () => {
  const { rows } = fullRows()
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const slow = watched(() => {
    asked++
    return gate.promise
  })
  const drain = createDrain(rows, slow, clock, strict)
  const first = drain.run()
  await drain.run()
  expect(asked).toBe(1)
  gate.resolve()
  await first
  expect(drain.pending()).toBe(false)
})

test('[RUN12] rows are handed on before they go, go only when all has left, and a run that ended and left asks nothing more', async () => {
  const { rows } = fullRows()
  const [{ finished_at }] = exampleTrials() as [StoredTrial]
  rows.saveHead({ ...rows.head()!, status: 'succeeded', completed_at: finished_at })
  let asked = 0
  const counted = watched(() => asked++)
  const seen: number[] = []
  const drain = createDrain(rows, counted, clock, strict, () => seen.push([...rows.results(0, 10)].length, rows.events(0, 10).length))
  expect(drain.pending()).toBe(true)
  await drain.run()
  expect(seen).toEqual([4, 2])
  expect([[...rows.results(0, 10)].length, rows.events(0, 10).length]).toEqual([0, 0])
  expect(drain.pending()).toBe(false)
  const before = asked
  await drain.run()
  expect([asked, seen.length]).toEqual([before, 2])
})

test('[RUN12] a batch is limited in bytes and rows, and holds at least one record however large', async () => {
  const { rows } = fullRows()
  const [{ record: first, finished_at }] = exampleTrials() as [StoredTrial]
  const add = (ordinal: number, text: string) =>
    rows.addResults(2, finished_at, [JSON.stringify({ ...first, ordinal, item_id: String(ordinal), answer: text })])
  add(4, 'x'.repeat(1_500_000))
  add(5, 'y')
  const sizes: number[] = []
  const counted = watched((batch) => sizes.push(batch.trials.length))
  await createDrain(rows, counted, clock, strict).run()
  expect(sizes).toEqual([4, 1, 1])
})

test('[DB48] the record says that a run has ended only when all of its results and events are in it', async () => {
  const { rows, spec } = fullRows()
  const [{ record: first, finished_at }] = exampleTrials() as [StoredTrial]
  for (let item = 4; item < 1_204; item++)
    rows.addResults(2, finished_at, [JSON.stringify({ ...first, ordinal: item, item_id: String(item) })])
  rows.saveHead({ ...rows.head()!, status: 'succeeded', completed_at: finished_at })
  const record = emptyRecord()
  const store = memoryStore(record)
  await store.createRun(spec, initialHead(spec), null)
  const told: [string, number][] = []
  const drained: typeof store.drain = async (batch) => {
    const outcome = await store.drain(batch)
    told.push([batch.head.status, record.trials.get(spec.run_id)?.length ?? 0])
    return outcome
  }
  await createDrain(rows, { ...store, drain: drained }, clock, strict).run()
  expect(told.length).toBeGreaterThan(1)
  expect(told.filter(([status]) => status === 'succeeded')).toEqual([['succeeded', 1_204]])
  expect(told.at(-1)?.[0]).toBe('succeeded')
})

test('[DB49] a run that is opened again while its metrics are computed keeps what has not left', async () => {
  const { rows } = fullRows()
  const [{ record, finished_at }] = exampleTrials() as [StoredTrial]
  rows.saveHead({ ...rows.head()!, status: 'incomplete', completed_at: finished_at })
  const store = memoryStore(emptyRecord())
  const reopening: typeof store.listMetricRows = async () => {
    if (rows.head()!.seq === 2) {
      rows.saveHead({ ...rows.head()!, seq: 3, status: 'running', completed_at: null })
      rows.addResults(3, finished_at, [JSON.stringify({ ...record, attempt: 2 })])
    }
    return []
  }
  const drain = createDrain(rows, { ...store, listMetricRows: reopening }, clock, strict)
  await drain.run()
  expect(drain.pending()).toBe(true)
  expect([...rows.results(0, 10)]).toHaveLength(5)
})

test('[DB51] openings leave before the records that name them, once, and stay known when the rows go', async () => {
  const { rows, spec } = fullRows()
  const texts = ['a'.repeat(700_000), 'b'.repeat(700_000), 'c']
  for (const text of texts) rows.addOpening(openingHash(text), text)
  const store = memoryStore(emptyRecord())
  const sent: { openings: string[]; trials: number }[] = []
  const drained: typeof store.drain = (batch) => {
    sent.push({ openings: batch.openings.map(({ text }) => text.slice(0, 1)), trials: batch.trials.length })
    return store.drain(batch)
  }
  const drain = createDrain(rows, { ...store, drain: drained }, clock, strict)
  await drain.run()
  expect(sent).toEqual([
    { openings: ['a'], trials: 0 },
    { openings: ['b', 'c'], trials: 4 },
  ])
  expect(drain.pending()).toBe(false)
  rows.addOpening(openingHash('late'), 'late')
  expect(drain.pending()).toBe(true)
  rows.giveBack()
  expect([...rows.openings(0)].map(({ text }) => text)).toEqual(['', '', '', 'late'])
  expect(rows.hasOpening(openingHash(texts[0]!))).toBe(true)
  expect(rows.spec()?.run_id).toBe(spec.run_id)
})
