import { afterAll, beforeAll, expect, test } from 'vitest'
import { ItemQuery, itemOrders } from '#shared/contract/api.ts'
import { ItemRowQuery } from '#shared/contract/item-rows.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

/** A query as it comes over HTTP: every value is text. */
const asText = (query: object) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

let database: TestDatabase
let run_id: string
const failure = { at: 'provider', reason: 'rate-limited', retryable: true, detail: 'slow down', status: 429 }
const failed = { outcome: 'failed', score: null, answer: null, evidence: null, failure, latency_ms: null }

/** Thirty trials of mmlu_pro (every third wrong, 7, 17 and 27 failed, those from 20 on truncated), then one item of gpqa in three epochs. */
beforeAll(async () => {
  database = await openTestDatabase()
  const spec = exampleSpec({}, ['mmlu_pro', 'gpqa'])
  const head = exampleHead(spec)
  run_id = spec.run_id
  const first = Array.from({ length: 30 }, (_, ordinal) => {
    const wrong = ordinal % 3 === 0 ? { outcome: 'wrong', score: 0, answer: 'B' } : {}
    const usage = { input_tokens: 5, output_tokens: (ordinal * 11) % 9, cached_tokens: 0, reasoning_tokens: 0 }
    const measured = { latency_ms: 1000 + ((ordinal * 7) % 30), cost_usd: ordinal % 4 === 0 ? null : ((ordinal * 5) % 7) / 1000, usage }
    const place = { flags: ordinal >= 20 ? ['truncated'] : [], ...measured }
    return exampleTrial(ordinal, { ...place, ...(ordinal % 10 === 7 ? failed : wrong) })
  })
  const second = [0, 1, 2].map((epoch) =>
    exampleTrial(30 + epoch, { benchmark: 'gpqa', item_id: 'a:b', epoch, item_metadata: { question: `Is\n\nit ${epoch}?` } }),
  )
  await database.store.createRun(spec, head, null)
  await database.store.drain({ run_id, openings: [], trials: [...second, ...first], events: [], head })
})
afterAll(() => database.close())

const list = (query: object, around: string | null = null, closed?: string[]) => {
  const [benchmark = '', item_id = '', epoch = '0'] = around?.split('/') ?? []
  return database.store.listItemRows(
    run_id,
    ItemRowQuery.parse(asText(query)),
    around === null ? null : { benchmark, item_id, epoch: Number(epoch) },
    closed,
  )
}

test('[DB80] windows by offset, put together, are the whole list in every order and filter, and say its length', async () => {
  for (const order of itemOrders)
    for (const filter of [{}, { outcome: 'wrong' }, { benchmark: 'mmlu_pro', flag: 'truncated' }, { q: 'item 1' }]) {
      const whole = await list({ ...filter, order, limit: 500 })
      const windows = await Promise.all([0, 7, 14, 21, 28, 35].map((offset) => list({ ...filter, order, offset, limit: 7 })))
      expect(windows.flatMap(({ rows }) => rows)).toEqual(whole.rows)
      expect(new Set(windows.map(({ total }) => total))).toEqual(new Set([whole.rows.length]))
      const records = await database.store.listItems(run_id, null, ItemQuery.parse(asText({ order, limit: 500 })))
      const all = records.items.map(({ record }) => record.ordinal)
      const ordinals = whole.rows.map(({ ordinal }) => ordinal)
      expect(ordinals).toEqual(all.filter((ordinal) => ordinals.includes(ordinal)))
    }
})

test('[DB80] a line says what a list shows, with the question on one line and no more of the text', async () => {
  const { rows } = await list({ benchmark: 'gpqa' })
  expect(rows[1]).toMatchObject({ ordinal: 31, benchmark: 'gpqa', item_id: 'a:b', epoch: 1, outcome: 'right', snippet: 'Is it 1?' })
  expect(rows[1]).not.toHaveProperty('record')
  expect((await list({ offset: 99 })).rows).toEqual([])
})

test('[DB81] the place of an item is its index in the list, and its page is given', async () => {
  for (const order of itemOrders)
    for (const filter of [{}, { outcome: 'wrong' }, { outcome: 'failed' }]) {
      const { rows } = await list({ ...filter, order, limit: 500 })
      for (const [index, row] of rows.entries()) {
        const found = await list({ ...filter, order, limit: 4 }, `${row.benchmark}/${row.item_id}/${row.epoch}`)
        expect(found.place).toEqual({ before: index, listed: true })
        expect(found.offset).toBe(index - (index % 4))
        expect(found.rows[index % 4]).toEqual(row)
      }
    }
})

test('[DB81] an item that a filter leaves out has the place where it would stand, an unknown one the first', async () => {
  expect((await list({ outcome: 'wrong' }, 'mmlu_pro/10/0')).place).toEqual({ before: 4, listed: false })
  expect((await list({}, 'mmlu_pro/nope/0')).place).toEqual({ before: 0, listed: false })
})

test('[DB82] counts say what each chip would show under the other filters and the search', async () => {
  const { total, counts } = await list({})
  expect({ total, counts }).toEqual({
    total: 33,
    counts: { outcomes: { right: 21, wrong: 9, failed: 3 }, flags: { truncated: 10 }, failures: { 'provider/rate-limited': 3 } },
  })
  const chosen = await list({ outcome: 'wrong' })
  expect(chosen).toMatchObject({
    total: 9,
    counts: { outcomes: { right: 21, wrong: 9, failed: 3 }, flags: { truncated: 2 }, failures: {} },
  })
  const flagged = await list({ flag: 'truncated' })
  expect(flagged).toMatchObject({ total: 10, counts: { outcomes: { right: 7, wrong: 2, failed: 1 }, flags: { truncated: 10 } } })
  const searched = await list({ q: 'item 2' })
  expect(searched.total).toBe(10)
  expect(searched.counts.outcomes).toEqual({ right: 8, wrong: 2, failed: 0 })
  for (const outcome of ['right', 'wrong', 'failed'] as const)
    expect((await list({ q: 'item 2', outcome })).total).toBe(searched.counts.outcomes[outcome])
  expect((await list({ q: 'item 2' }, null, ['mmlu_pro'])).total).toBe(0)
})

test('[DB80] a list up to an event does not move when results come', async () => {
  const before = await list({ order: 'finished', limit: 500 })
  const head = exampleHead(exampleSpec())
  const late = { ...exampleTrial(40, { item_id: '40' }), seq: before.until + 1 }
  await database.store.drain({ run_id, openings: [], trials: [late], events: [], head })
  expect((await list({ order: 'finished', limit: 500, until: before.until })).rows).toEqual(before.rows)
  expect(await list({ limit: 1 })).toMatchObject({ total: before.total + 1, until: before.until + 1 })
})

test('[DB83] an item comes with how all its epochs ended', async () => {
  const found = await database.store.findItem(run_id, 'gpqa', 'a:b', 1, ItemQuery.parse({}))
  expect(found?.epochs.map(({ epoch, outcome }) => [epoch, outcome])).toEqual([0, 1, 2].map((epoch) => [epoch, 'right']))
})
