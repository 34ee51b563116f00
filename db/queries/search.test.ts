import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ItemQuery } from '#shared/contract/api.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { ItemRowQuery } from '#shared/contract/item-rows.ts'
import { foldCase, searchText } from '#shared/run/search-text.ts'
import { draws } from '#shared/testing/draws.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'
import { type EventPage, TooSlow } from '../store.ts'
import { gramsOf, gramsWithin } from './grams.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const evidence = exampleTrial(0).record.evidence!
const saying = (ordinal: number, text: string) => exampleTrial(ordinal, { evidence: { ...evidence, text } })

async function drained(trials: ReturnType<typeof exampleTrial>[]): Promise<string> {
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await database.store.createRun(spec, head, null)
  await database.store.drain({ run_id: spec.run_id, openings: [], trials, events: [], head: { ...head, status: 'succeeded' } })
  return spec.run_id
}

const items = (run_id: string, query: object, closed: string[] = []) =>
  database.store.listItems(run_id, null, ItemQuery.parse(query), closed)
const hits = async (run_id: string, q: string, closed: string[] = []) =>
  (await items(run_id, { q }, closed)).items.map(({ record }) => record.ordinal)

test('[API150] a search finds exactly the trials whose ids or texts hold the words, in short and in long texts, whatever the case', async () => {
  const words = ['Straße', 'ΟΔΟΣ', 'İzmir', 'naïve 50%', 'c:\\x_y', '"q"', '日本語', '😀 b', 'the answer', 'x'.repeat(40)]
  const long = 'Some readings of the clause. '.repeat(400)
  const trials = Array.from({ length: 30 }, (_, at) => {
    const said = `${words[at % words.length]} and ${words[(at * 3 + 1) % words.length]}`
    return saying(at, at % 3 === 0 ? `${long}${said}${long}` : said)
  })
  const run_id = await drained(trials)
  const texts = trials.map(({ record }) => searchText({ ...record, messages: record.messages }))
  const part = fc.oneof(
    fc.constantFrom(...words, ...words.map((word) => word.toUpperCase()), ...words.map((word) => word.toLowerCase())),
    fc.tuple(fc.nat(29), fc.nat(200), fc.integer({ min: 1, max: 30 })).map(([at, from, length]) => texts[at]!.slice(from, from + length)),
    fc.string({ minLength: 1, maxLength: 4 }),
  )
  await fc.assert(
    fc.asyncProperty(part, async (q) => {
      const expected = texts.flatMap((text, at) => (text.includes(foldCase(q.toWellFormed().replaceAll('\0', '\ufffd'))) ? [at] : []))
      expect(await hits(run_id, q)).toEqual(expected)
    }),
    draws(60),
  )
})

test('[API150] a text has the marks of everything it holds', () => {
  const bits = (grams: string) => BigInt(`0${grams}`)
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }), { minLength: 1601 }),
      fc.nat(500),
      fc.nat(30),
      (text, from, length) => {
        const part = bits(gramsWithin(text.slice(from, from + length).join('')))
        expect(bits(gramsOf(text.join(''))!) & part).toBe(part)
      },
    ),
  )
  expect([gramsOf('a'.repeat(1600)), gramsOf('я'.repeat(800))]).toEqual([null, null])
  expect(gramsOf('я'.repeat(801))).toMatch(/^x[0-9a-f]{1024}$/)
  expect(bits(gramsWithin('ab'))).toBe(0n)
})

test('[API151] lists and filters read rows of a few hundred bytes, however large the records are', async () => {
  const run_id = await drained([saying(0, 'word '.repeat(30_000)), exampleTrial(1, { explanation: 'because '.repeat(20_000) })])
  const { rows } = await database.db.execute<{ bytes: number }>(
    sql`select max(pg_column_size(trials.*))::int as bytes from trials where run_id = ${run_id}`,
  )
  expect(rows[0]!.bytes).toBeLessThan(400)
  expect((await items(run_id, {})).items.map(({ record }) => record.ordinal)).toEqual([0, 1])
})

test('[API153] a page of records ends at its length or at 4 MB, whichever comes first, and says where the next begins', async () => {
  const { store } = database
  const heavy = (ordinal: number, characters: number) => exampleTrial(ordinal, { explanation: 'y'.repeat(characters), latency_ms: ordinal })
  const run_id = await drained([
    heavy(0, 1_500_000),
    heavy(1, 1_500_000),
    heavy(2, 1_500_000),
    heavy(3, 5_000_000),
    heavy(4, 10),
    heavy(5, 10),
  ])
  const walk = async (read: (from: number) => Promise<{ ordinals: number[]; next: number | null }>, from: number) => {
    const pages: number[][] = []
    for (let next: number | null = from; next !== null; ) {
      const page: { ordinals: number[]; next: number | null } = await read(next)
      pages.push(page.ordinals)
      next = page.next
    }
    return pages
  }
  const inPlan = [[0, 1], [2], [3], [4, 5]]

  const exports = await walk(async (after) => {
    const { trials, next } = await store.listTrials(run_id, after, 100)
    return { ordinals: trials.map(({ record }) => record.ordinal), next }
  }, -1)
  expect(exports).toEqual(inPlan)
  const scored = await walk(async (after) => {
    const { records, next } = await store.listEvidence(run_id, 'mmlu_pro', after, 100)
    return { ordinals: records.map((record) => record.ordinal), next }
  }, -1)
  expect(scored).toEqual(inPlan)
  const listed = (query: object) =>
    walk(async (offset) => {
      const { items: page, next, total } = await items(run_id, { offset: String(offset), ...query })
      expect(total).toBe(6)
      return { ordinals: page.map(({ record }) => record.ordinal), next }
    }, 0)
  expect(await listed({})).toEqual(inPlan)
  expect(await listed({ order: 'latency' })).toEqual([[5, 4], [3], [2, 1], [0]])
  expect(await listed({ limit: '1' })).toEqual([[0], [1], [2], [3], [4], [5]])
})

test('[API153] a page of events ends at its length or at 4 MB, and says where the next begins', async () => {
  const { store } = database
  const run_id = await drained([])
  const event = (id: number, characters: number) => ({
    id,
    event_type: 'benchmark_progress',
    benchmark_name: null,
    message: '',
    data: { text: 'z'.repeat(characters) },
    created_at: '2026-11-01T10:00:00.123Z',
  })
  const events = [event(1, 800_000), event(2, 800_000), event(3, 5_000_000), event(4, 1), event(5, 1), event(6, 1)] as StreamedEvent[] // a kind that later versions may write; with names it may be three times as long
  await store.drain({ run_id, openings: [], trials: [], events, head: exampleHead(exampleSpec({ run_id })) })
  const pages: number[][] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: EventPage = await store.listEvents(run_id, after, 2)
    pages.push(page.events.map(({ id }) => id))
    after = page.next
  }
  expect(pages).toEqual([[1], [2], [3], [4, 5], [6]])
})

test('[ACC13] a search that takes the database too long is given up, and said to be that', async () => {
  const run_id = await drained([exampleTrial(0)])
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table trial_texts in access exclusive mode')
    const list = database.store.listItemRows(run_id, ItemRowQuery.parse({ q: 'item' }), null)
    await expect(Promise.all([list, items(run_id, { q: 'item' })])).rejects.toThrow(TooSlow)
  } finally {
    await holder.end()
  }
  expect(await hits(run_id, 'item')).toEqual([0])
})
