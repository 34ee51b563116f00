import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ItemQuery, itemOrders } from '#shared/contract/api.ts'
import { ItemRowQuery } from '#shared/contract/item-rows.ts'
import { someOf } from '#shared/testing/draws.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

/** A query as it comes over HTTP: every value is text. */
const asText = (query: object) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0)

const trials = 2250
let database: TestDatabase
let run_id: string

/** Trials of two benchmarks that all say "clause": a tenth wrong, the first 1,000 of one group, the texts of the others long. */
beforeAll(async () => {
  database = await openTestDatabase()
  const spec = exampleSpec({}, ['mmlu_pro', 'gpqa'])
  run_id = spec.run_id
  const evidence = exampleTrial(0).record.evidence!
  await database.store.createRun(spec, exampleHead(spec), null)
  const drained = Array.from({ length: trials }, (_, ordinal) =>
    exampleTrial(ordinal, {
      benchmark: ordinal < 1500 ? 'mmlu_pro' : 'gpqa',
      group: ordinal < 1000 ? 'law' : 'physics',
      outcome: ordinal % 10 === 3 ? 'wrong' : 'right',
      latency_ms: (ordinal * 7919) % trials,
      evidence: { ...evidence, text: `A clause, item ${ordinal}. ${ordinal % 3 ? 'More of it. '.repeat(150) : ''}` },
    }),
  )
  await database.store.drain({ run_id, openings: [], trials: drained, events: [], head: exampleHead(spec) })
})
afterAll(() => database.close())

const rows = (query: object, around: { benchmark: string; item_id: string; epoch: number } | null = null, closed: string[] = []) =>
  database.store.listItemRows(run_id, ItemRowQuery.parse(asText({ q: 'CLAUSE', ...query })), around, closed)
const items = (query: object) => database.store.listItems(run_id, null, ItemQuery.parse(asText({ q: 'CLAUSE', ...query })))

test('[DB84] a search counts as far as the thousand in which the page ends, and says whether that is all', async () => {
  const told = async (query: object) => {
    const [list, page] = [await rows(query), await items(query)]
    expect({ total: page.total, total_is: page.total_is }).toEqual({ total: list.total, total_is: list.total_is })
    return [list.total, list.total_is, list.counts_are]
  }
  expect(await told({})).toEqual([1001, 'at-least', 'at-least'])
  expect(await told({ offset: 900 })).toEqual([1001, 'at-least', 'at-least'])
  expect(await told({ offset: 901 })).toEqual([2001, 'at-least', 'at-least'])
  expect(await told({ offset: 2200 })).toEqual([trials, 'exact', 'exact'])
  expect(await told({ group: 'law' })).toEqual([1000, 'exact', 'exact'])
  expect(await told({ q: 'no such clause' })).toEqual([0, 'exact', 'exact'])
  expect(await told({ q: '' })).toEqual([trials, 'exact', 'exact'])
  expect((await items({ after: 2100 })).total).toBe(1001)
})

test('[DB84] what is counted beside a page are the hits that were looked for, those of the chosen filter first', async () => {
  const all = await rows({})
  expect(sum(all.counts.outcomes)).toBe(1001)
  expect(all.until).toBe(trials)
  const wrong = await rows({ outcome: 'wrong' })
  expect(wrong).toMatchObject({ total: 225, total_is: 'exact', counts_are: 'at-least' })
  expect(wrong.counts.outcomes).toEqual({ right: 1001, wrong: 225, failed: 0 })
  const law = await rows({ group: 'law', outcome: 'wrong' })
  expect(law).toMatchObject({ total: 100, total_is: 'exact', counts_are: 'exact', counts: { outcomes: { right: 900, wrong: 100 } } })
  expect(await rows({ outcome: 'right', offset: 2000 })).toMatchObject({ total: 2025, total_is: 'exact', counts_are: 'exact' })
})

test('[DB84] paging reaches every hit, by rows and by records, in any order and filter', async () => {
  for (const order of someOf(itemOrders, 3))
    for (const filter of [{}, { outcome: 'right' }]) {
      const expected = (await items({ q: '', order, ...filter, limit: 500 })).total
      const all: number[] = []
      const listed: number[] = []
      for (let next: number | null = 0; next !== null; ) {
        const page = await items({ ...filter, order, limit: 500, offset: next })
        const list = await rows({ ...filter, order, limit: 500, offset: next })
        all.push(...page.items.map(({ record }) => record.ordinal))
        listed.push(...list.rows.map(({ ordinal }) => ordinal))
        next = page.next
      }
      const whole = (
        await Promise.all([0, 500, 1000, 1500, 2000].map((offset) => rows({ q: '', order, ...filter, limit: 500, offset })))
      ).flatMap((list) => list.rows.map(({ ordinal }) => ordinal))
      expect(whole).toHaveLength(expected)
      expect([all, listed], order).toEqual([whole, whole])
    }
  const after = await items({ after: 2100, limit: 100 })
  expect(after.items.map(({ record }) => record.ordinal)).toEqual(Array.from({ length: 100 }, (_, index) => 2101 + index))
  expect(after.next).toBe(100)
})

test('[DB84] the place and the neighbours of an item are right however many hits stand before it', async () => {
  const nameOf = (ordinal: number) => ({ benchmark: ordinal < 1500 ? 'mmlu_pro' : 'gpqa', item_id: String(ordinal), epoch: 0 })
  for (const order of itemOrders) {
    const [row] = (await rows({ order, limit: 1, offset: 2103 })).rows
    const around = await rows({ order, limit: 100 }, nameOf(row!.ordinal))
    expect(around).toMatchObject({ place: { before: 2103, listed: true }, offset: 2100, total: trials, total_is: 'exact' })
    expect(around.rows[3]).toEqual(row)
  }
  const wrong = { outcome: 'wrong', q: 'clause' }
  expect((await rows(wrong, nameOf(2004))).place).toEqual({ before: 201, listed: false })
  const found = await database.store.findItem(run_id, 'gpqa', '2013', 0, ItemQuery.parse(wrong))
  expect([found?.previous, found?.next]).toEqual(['2003:0', '2023:0'])
  const first = await database.store.findItem(run_id, 'gpqa', '1503', 0, ItemQuery.parse(wrong))
  expect([first?.previous, first?.next]).toEqual([null, '1513:0'])
})

test('[DB21] in closed benchmarks ids alone are hits, beside the texts of the others', async () => {
  expect(await rows({ limit: 1 }, null, ['mmlu_pro'])).toMatchObject({ total: 750, total_is: 'exact', rows: [{ ordinal: 1500 }] })
  expect((await rows({ q: 'q-14' }, null, ['mmlu_pro', 'gpqa'])).total).toBe(111)
  expect((await rows({ q: 'item 1499.' }, null, ['mmlu_pro'])).total).toBe(0)
})

test('[DB84] no text is looked into beyond the last hit that is needed', async () => {
  const run = (statement: string) => database.db.execute(sql.raw(statement))
  await run('alter table trial_texts rename to kept_texts')
  await run(`create function refuse(int) returns text stable language plpgsql as $$ begin raise 'trial % was looked into', $1; end $$`)
  const refuse = (which: string) =>
    run(`create or replace view trial_texts as select run_id, ordinal, snippet, grams,
      case when ${which} and grams is not null then refuse(ordinal) else search end as search from kept_texts`)
  await refuse('ordinal >= 1600')
  expect((await rows({ limit: 500 })).total).toBe(1001)
  expect((await items({ limit: 500 })).total).toBe(1001)
  expect((await rows({ outcome: 'right', benchmark: 'mmlu_pro' })).total).toBe(1001)
  expect((await rows({}, { benchmark: 'mmlu_pro', item_id: '900', epoch: 0 })).place).toEqual({ before: 900, listed: true })
  const found = await database.store.findItem(run_id, 'mmlu_pro', '1400', 0, ItemQuery.parse({ q: 'clause' }))
  expect([found?.previous, found?.next]).toEqual(['1399:0', '1401:0'])
  await expect(rows({ offset: 1000 })).rejects.toThrow('was looked into')
  await refuse('ordinal < 1200')
  expect((await rows({ order: 'finished' })).total).toBe(1001)
  expect((await items({ order: 'finished' })).total).toBe(1001)
})
