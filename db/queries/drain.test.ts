import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { briefOf } from '#shared/contract/trial.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function create() {
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await database.store.createRun(spec, head, null)
  return { run_id: spec.run_id, head }
}

const event = (id: number, message = 'something happened'): StreamedEvent => ({
  id,
  event_type: 'benchmark_progress',
  benchmark_name: 'mmlu_pro',
  message,
  data: { completed: id, results: [briefOf(exampleTrial(id).record)] },
  created_at: '2026-11-01T10:00:00.123Z',
})

test('[DB9] a drained batch reads back as it was, and draining it again changes nothing', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const trials = Array.from({ length: 30 }, (_, ordinal) => exampleTrial(ordinal))
  const batch = { run_id, openings: [], trials, events: [event(1), event(2)], head: { ...head, seq: 2, done: 30 } }
  expect(await store.drain(batch)).toEqual({ written: 30, conflicts: [] })
  expect(await store.drain(batch)).toEqual({ written: 0, conflicts: [] })
  expect(await store.listTrials(run_id, -1, 100)).toEqual({ trials, next: null })
  expect((await store.listEvents(run_id, 0, 100)).events).toEqual([event(1), event(2)])
  expect((await store.findRun(run_id))?.head).toEqual(batch.head)
})

test('[DB9] a trial whose texts hold the signs of arrays, JSON and lines reads back as it was', async () => {
  const { store, db } = database
  const { run_id, head } = await create()
  const odd = 'NULL "{a,b}" \\ \\" \n\n\n\r\t, $1 \'x\' \u2028 é'
  const trials = [
    exampleTrial(0, {
      answer: odd,
      expected: '',
      group: 'NULL',
      source_id: '{}',
      flags: [odd, '', 'NULL', '{'],
      detail: { note: odd, list: [null] },
    }),
    exampleTrial(1, { answer: null, flags: [], messages: [{ role: 'user', content: odd.repeat(40) }] }),
  ]
  const batch = { run_id, openings: [], trials, events: [event(1, odd)], head }
  expect(await store.drain(batch)).toEqual({ written: 2, conflicts: [] })
  expect(await store.listTrials(run_id, -1, 10)).toEqual({ trials, next: null })
  const { rows } = await db.execute(
    sql`select answer, expected, group_name, source_id, flags, detail from trials where run_id = ${run_id} order by ordinal`,
  )
  const [{ record }] = trials as [(typeof trials)[0]]
  const { answer, expected, group, source_id, flags, detail } = record
  expect(rows[0]).toEqual({ answer, expected, group_name: group, source_id, flags, detail })
  expect(rows[1]).toMatchObject({ answer: null, flags: [], detail: {} })
  expect((await store.listEvents(run_id, 0, 10)).events[0]?.message).toBe(odd)
})

test('[DB10] only a higher attempt replaces a trial, within one batch too', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const failure = { at: 'provider', reason: 'overloaded', retryable: true, detail: '', status: 503 }
  const attempt = (number: number, changes = {}) => exampleTrial(0, { attempt: number, answer: `try ${number}`, ...changes })
  const drain = (...trials: ReturnType<typeof attempt>[]) => store.drain({ run_id, openings: [], trials, events: [], head })
  await drain(attempt(2, { outcome: 'failed', score: null, failure }), attempt(1))
  expect((await store.listItems(run_id, null, pageOf({ failure: 'provider/overloaded' }))).total).toBe(1)
  expect(await drain(attempt(3))).toEqual({ written: 1, conflicts: [] })
  expect(await drain(attempt(1))).toEqual({ written: 0, conflicts: [] })
  expect((await store.listTrials(run_id, -1, 10)).trials).toEqual([attempt(3)])
  expect((await store.listItems(run_id, null, pageOf({ failure: 'provider/overloaded' }))).total).toBe(0)
})

test('[DB50] records that come as text are stored as the same records, the newest attempt of a trial once', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const trials = [exampleTrial(0, { explanation: 'a\0b "\\u0000" \ud800' }), exampleTrial(1, { attempt: 2 }), exampleTrial(1)]
  const written = trials.map(({ record, finished_at, seq }, at) => {
    // No example has an opening, so both forms are the same; what the text says may be at hand or not.
    return { text: JSON.stringify(record), finished_at, seq, ...(at > 0 && { packed: record as PackedRecord }) }
  })
  expect(await store.drain({ run_id, openings: [], trials: written, events: [], head })).toEqual({ written: 2, conflicts: [] })
  expect(await store.drain({ run_id, openings: [], trials: trials.slice(0, 2), events: [], head })).toEqual({ written: 0, conflicts: [] })
  const [first, second] = (await store.listTrials(run_id, -1, 10)).trials
  expect(first).toEqual(exampleTrial(0, { explanation: 'a\ufffdb "\\u0000" \ufffd' }))
  expect(second).toEqual(trials[1])
})

test('[DB11] another result under the stored attempt is named as a conflict and not written', async () => {
  const { store } = database
  const { run_id, head } = await create()
  await store.drain({ run_id, openings: [], trials: [exampleTrial(0), exampleTrial(1)], events: [], head })
  const second = { run_id, openings: [], trials: [exampleTrial(0), exampleTrial(1, { answer: 'Z' }), exampleTrial(2)], events: [], head }
  expect(await store.drain(second)).toEqual({ written: 1, conflicts: ['mmlu_pro/1:0'] })
  expect((await store.listTrials(run_id, -1, 10)).trials.map((trial) => trial.record.answer)).toEqual(['A', 'A', 'A'])
})

test('[DB12] an older head never replaces a newer one', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const done = { ...head, seq: 9, status: 'succeeded' as const, completed_at: '2026-11-01T11:00:00.000Z' }
  await store.drain({ run_id, openings: [], trials: [], events: [], head: done })
  await store.drain({ run_id, openings: [], trials: [exampleTrial(0)], events: [event(3)], head: { ...head, seq: 8, status: 'running' } })
  expect((await store.findRun(run_id))?.head).toEqual(done)
  expect((await store.listRuns({ viewers: [], status: 'succeeded', limit: 1, offset: 0 })).total).toBe(1)
  expect((await store.listTrials(run_id, -1, 10)).trials).toHaveLength(1)
})

test('[DB12] a late batch that calls the run open does not take back its end under the same number', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const drain = (seq: number, ended: boolean) => {
    const end = ended && { status: 'succeeded' as const, completed_at: '2026-11-01T11:00:00.000Z' }
    return store.drain({ run_id, openings: [], trials: [], events: [], head: { ...head, seq, ...end } })
  }
  await drain(9, false)
  await drain(9, true)
  await drain(9, false)
  const { status, completed_at } = (await store.findRun(run_id))!.head
  expect({ status, completed_at }).toEqual({ status: 'succeeded', completed_at: '2026-11-01T11:00:00.000Z' })
  expect((await store.listOpenRuns()).map(({ spec }) => spec.run_id)).not.toContain(run_id)
  await drain(10, false) // it goes on
  expect((await store.findRun(run_id))!.head.completed_at).toBeNull()
})

test('[DB13] a batch is written as a whole or not at all', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const broken = { ...event(1), created_at: 'yesterday or so' }
  await expect(
    store.drain({ run_id, openings: [], trials: [exampleTrial(0)], events: [broken], head: { ...head, seq: 7 } }),
  ).rejects.toThrow()
  expect((await store.listTrials(run_id, -1, 10)).trials).toEqual([])
  expect((await store.findRun(run_id))?.head.seq).toBe(head.seq)
})

test('[DB14] a batch for a run that is not in the record is refused and leaves nothing', async () => {
  const { store, db } = database
  const { head } = await create()
  const run_id = crypto.randomUUID()
  await expect(store.drain({ run_id, openings: [], trials: [exampleTrial(0)], events: [event(1)], head })).rejects.toThrow(
    'not in the record',
  )
  const left = await db.execute(
    sql`select (select count(*) from trials where run_id = ${run_id}) + (select count(*) from events where run_id = ${run_id}) as n`,
  )
  expect(left.rows).toEqual([{ n: '0' }])
})

test('[DB15] overlapping batches drained at once store every trial once and the newest head', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const trials = Array.from({ length: 60 }, (_, ordinal) => exampleTrial(ordinal))
  const part = (from: number) => trials.slice(from, from + 30)
  const batches = [part(0), part(30).reverse(), part(15), trials, part(10).reverse(), part(25)]
  const outcomes = await Promise.all(
    batches.map((some, index) =>
      store.drain({ run_id, openings: [], trials: some, events: [event(index + 1)], head: { ...head, seq: index + 2 } }),
    ),
  )
  expect(outcomes.reduce((sum, { written }) => sum + written, 0)).toBe(60)
  expect(outcomes.flatMap(({ conflicts }) => conflicts)).toEqual([])
  expect(await store.listTrials(run_id, -1, 100)).toEqual({ trials, next: null })
  expect((await store.findRun(run_id))?.head.seq).toBe(7)
})

test('[DB1] records and events with NUL and lone surrogates are stored, and repeating them is no conflict', async () => {
  const { store } = database
  const { run_id, head } = await create()
  const trial = exampleTrial(0, {
    detail: { note: 'd\0' },
    answer: 'a\0\ud800',
    messages: [{ role: 'user', content: '\\u0000 \0 \udfff' }],
    group: 'g\0',
  })
  const batch = { run_id, openings: [], trials: [trial], events: [event(1, 'said \0')], head }
  expect(await store.drain(batch)).toEqual({ written: 1, conflicts: [] })
  expect(await store.drain(batch)).toEqual({ written: 0, conflicts: [] })
  const [stored] = (await store.listTrials(run_id, -1, 10)).trials
  expect(stored?.record).toMatchObject({ answer: 'a\ufffd\ufffd', group: 'g\ufffd', messages: [{ content: '\\u0000 \ufffd \ufffd' }] })
  expect((await store.listEvents(run_id, 0, 10)).events[0]?.message).toBe('said \ufffd')
  const { rows } = await database.db.execute(sql`select detail from trials where run_id = ${run_id}`)
  expect(rows).toEqual([{ detail: { note: 'd\ufffd' } }])
  expect((await store.listItems(run_id, null, pageOf({ q: 'a\0\ud800' }))).total).toBe(1)
})

test('[DB16] events come in pages after an id', async () => {
  const { store } = database
  const { run_id, head } = await create()
  await store.drain({ run_id, openings: [], trials: [], events: [1, 2, 3, 4, 5].map((id) => event(id)), head })
  expect((await store.listEvents(run_id, 2, 2)).events.map(({ id }) => id)).toEqual([3, 4])
  expect((await store.listEvents(run_id, 5, 2)).events).toEqual([])
})

test('[DB52] a shared opening stands once per run; every reading gives the whole prompt, and a search looks at what an item has to itself', async () => {
  const { store, db } = database
  const { run_id, head } = await create()
  const opening = 'Worked examples about herons. '
  const trials = Array.from({ length: 5 }, (_, ordinal) =>
    exampleTrial(ordinal, { messages: [{ role: 'user', content: `${opening}Question ${ordinal}?`, opening: opening.length }] }),
  )
  await store.drain({ run_id, openings: [], trials, events: [], head })
  const { rows } = await db.execute(sql`select text from openings where run_id = ${run_id}`)
  expect(rows).toEqual([{ text: opening }])
  expect((await store.listTrials(run_id, -1, 10)).trials).toEqual(trials)
  const [item] = (await store.listItems(run_id, null, pageOf({ q: 'question 3' }))).items
  expect(item?.record.messages).toEqual(trials[3]?.record.messages)
  expect((await store.listItems(run_id, null, pageOf({ q: 'herons' }))).total).toBe(0)
  const { benchmark, item_id, epoch } = trials[2]!.record
  expect((await store.findItem(run_id, benchmark, item_id, epoch, pageOf({})))?.trial).toEqual(trials[2])
  await db.execute(sql`delete from openings where run_id = ${run_id}`)
  await expect(store.listTrials(run_id, -1, 10)).rejects.toThrow('opening')
})

function pageOf(query: { failure?: string; q?: string }) {
  return { limit: 10, offset: 0, order: 'plan' as const, ...query }
}

test('[AGENT40] the record forgets the sealed key with the state that says that the run has ended', async () => {
  const { store } = database
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await store.createRun(spec, head, null, 'v1.sealed-bytes')
  const batch = { run_id: spec.run_id, openings: [], trials: [], events: [] }
  await store.drain({ ...batch, head: { ...head, seq: head.seq + 1, status: 'paused' } })
  expect(await store.findCredential(spec.run_id)).toBe('v1.sealed-bytes')
  await store.drain({ ...batch, head: { ...head, seq: head.seq + 2, status: 'canceled' } })
  expect(await store.findCredential(spec.run_id)).toBeUndefined()
})
