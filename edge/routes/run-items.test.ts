import { expect, test } from 'vitest'
import type * as z from 'zod'
import { BenchmarkPage, ItemPage, RunItemDetail } from '#shared/contract/api.ts'
import { ItemRowPage } from '#shared/contract/item-rows.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrials } from '../testing/example-records.ts'

/** An ended run of anna over one open and one gated benchmark, with four trials each. */
async function endedRun() {
  const app = openApp()
  const gated = examplePlanned({ name: 'gpqa_diamond', gated: true })
  const spec = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'mmlu_pro' }), gated] })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.trials.set(spec.run_id, [...exampleTrials(), ...exampleTrials('gpqa_diamond')])
  const anna = bearer(await giveKey(app, 'anna'))
  const get = (path: string, headers: Record<string, string> = {}) => app.call('GET', `/api/runs/${spec.run_id}${path}`, { headers })
  return { ...app, spec, anna, get }
}

test('[API24] a benchmark page has the result, the summary and items in the predecessor’s form', async () => {
  const { get } = await endedRun()
  const response = await get('/benchmarks/mmlu_pro?limit=3')
  const page = BenchmarkPage.parse(await response.json())
  expect(page.benchmark).toMatchObject({ benchmark_name: 'mmlu_pro', right: 2 })
  expect(page.items).toMatchObject({ total: 4, limit: 3, offset: 0 })
  expect(page.items.items).toHaveLength(3)
  const [right, wrong, failed] = page.items.items
  expect(right).toMatchObject({ prompt: 'Question 0, with a "quote"', response: 'It is B.', is_correct: true, score: 1, error: null })
  expect(wrong).toMatchObject({ is_correct: false, score: 0 })
  expect(failed).toMatchObject({
    is_correct: null,
    score: null,
    error: 'too many requests',
    failure: 'provider/rate-limited',
    response: null,
  })
  expect(page.summary).toMatchObject({ total_items: 4, correct: 2, incorrect: 1, errors: 1, total_tokens: 480, input_cost_usd: 0.0004 })
  expect(page.summary.error_breakdown).toEqual([{ message: 'provider/rate-limited', count: 1 }])
})

test('[DB84] pages of items and rows say whether a search has counted all', async () => {
  const { get, deps } = await endedRun()
  const { listItems, listItemRows } = deps.store
  const said = async () => {
    const { items } = BenchmarkPage.parse(await (await get('/benchmarks/mmlu_pro?q=x')).json())
    const page = ItemPage.parse(await (await get('/items?q=x')).json())
    const list = ItemRowPage.parse(await (await get('/rows?q=x')).json())
    return [items.total_is, page.total_is, list.total_is, list.counts_are]
  }
  expect(await said()).toEqual(['exact', 'exact', 'exact', 'exact'])
  deps.store = {
    ...deps.store,
    listItems: async (...query) => ({ ...(await listItems(...query)), total_is: 'at-least' }),
    listItemRows: async (...query) => ({ ...(await listItemRows(...query)), total_is: 'at-least', counts_are: 'at-least' }),
  }
  expect(await said()).toEqual(['at-least', 'at-least', 'at-least', 'at-least'])
})

test('[API153] a page of items says where the next begins', async () => {
  const { get } = await endedRun()
  const offsets: (number | null)[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page: z.infer<typeof ItemPage> = ItemPage.parse(await (await get(`/items?limit=3&offset=${offset}`)).json())
    offset = page.next_offset
    offsets.push(offset)
  }
  expect(offsets).toEqual([3, 6, null])
})

test('[API24] items are filtered, and what is out of range is 422 or empty, never an error of ours', async () => {
  const { get } = await endedRun()
  const total = async (query: string) => BenchmarkPage.parse(await (await get(`/benchmarks/MMLU_PRO?${query}`)).json()).items.total
  expect(await total('outcome=wrong')).toBe(1)
  expect(await total('failure=provider/rate-limited')).toBe(1)
  expect(await total('q=QUESTION 3')).toBe(1)
  expect(await total('epoch=99999999999')).toBe(0)
  for (const query of ['limit=0', 'limit=501', 'offset=-1', 'outcome=lost', 'order=random', 'epoch=x'])
    expect([query, (await get(`/benchmarks/mmlu_pro?${query}`)).status]).toEqual([query, 422])
  expect(await (await get('/benchmarks/ifbench')).json()).toMatchObject({ status: 404, code: 'benchmark-not-in-run' })
})

test('[API25] an item opens by its permalink with the whole record and its neighbours in the filter', async () => {
  const { get } = await endedRun()
  const detail = RunItemDetail.parse(await (await get('/items/mmlu_pro/1')).json())
  expect(detail).toMatchObject({ previous: '0:0', next: '2:0', item: { item_id: '1' }, card: { name: 'mmlu_pro' } })
  expect(detail.record.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
  const filtered = RunItemDetail.parse(await (await get('/items/mmlu_pro/3?outcome=right')).json())
  expect(filtered).toMatchObject({ previous: '0:0', next: null })
  for (const path of ['/items/mmlu_pro/99', '/items/mmlu_pro/1?epoch=4', '/items/mmlu_pro/%27%3B'])
    expect(await (await get(path)).json()).toMatchObject({ code: 'item-not-found' })
  expect(await (await get('/items/nope/1')).json()).toMatchObject({ code: 'benchmark-not-in-run' })
})

test('[API26] of gated data everybody but the owner sees counts, times and outcomes, and no text', async () => {
  const app = await endedRun()
  const { get, anna } = app
  const secrets = /Question|It is B|too many requests|law"|The answer is/
  for (const headers of [{}, bearer(await giveKey(app, 'bob')), bearer(await giveKey(app, 'anna', ['runs:write']))]) {
    const page = await (await get('/benchmarks/gpqa_diamond', headers)).text()
    const items = BenchmarkPage.parse(JSON.parse(page)).items.items
    expect(JSON.stringify(items.map((item) => ({ ...item, group: null })))).not.toMatch(secrets)
    expect(items[0]).toMatchObject({
      prompt: '',
      response: null,
      expected: null,
      answer: null,
      item_metadata: {},
      flags: ['withheld'],
      outcome: 'right',
    })
    const detail = RunItemDetail.parse(await (await get('/items/gpqa_diamond/0', headers)).json())
    expect(detail.record).toMatchObject({ messages: [], evidence: null, explanation: null, expected: null, item_metadata: {} })
    expect(BenchmarkPage.parse(await (await get('/benchmarks/gpqa_diamond?q=question', headers)).json()).items.total).toBe(0)
    expect((await get('/items/gpqa_diamond/0?q=question', headers)).status).toBe(404)
  }
  const own = BenchmarkPage.parse(await (await get('/benchmarks/gpqa_diamond?q=question', anna)).json())
  expect(own.items.items[0]).toMatchObject({ prompt: 'Question 0, with a "quote"', flags: [] })
  const open = BenchmarkPage.parse(await (await get('/benchmarks/mmlu_pro')).json())
  expect(open.items.items[0]!.flags).toEqual([])
})

test('[API40] the items of all benchmarks are one filtered list', async () => {
  const { get, call } = await endedRun()
  const page = ItemPage.parse(await (await get('/items?limit=6')).json())
  expect(page).toMatchObject({ total: 8, limit: 6, offset: 0 })
  expect(page.items.map((one) => one.benchmark)).toEqual([...Array(4).fill('mmlu_pro'), ...Array(2).fill('gpqa_diamond')])
  const wrong = ItemPage.parse(await (await get('/items?outcome=wrong&offset=1')).json())
  expect(wrong).toMatchObject({ total: 2, items: [{ benchmark: 'gpqa_diamond', outcome: 'wrong' }] })
  expect((await get('/items?limit=501')).status).toBe(422)
  expect(await (await call('GET', '/api/runs/nope/items')).json()).toMatchObject({ code: 'run-not-found' })
})

test('[API40] the list of all items withholds gated texts, shows and finds the owner’s own, and private runs are not there', async () => {
  const { get, anna, record, spec } = await endedRun()
  const foreign = ItemPage.parse(await (await get('/items?q=question')).json())
  expect(foreign.total).toBe(4)
  expect(new Set(foreign.items.map((one) => one.benchmark))).toEqual(new Set(['mmlu_pro']))
  const gated = ItemPage.parse(await (await get('/items?offset=4')).json()).items
  expect(gated.map(({ prompt, response, flags }) => ({ prompt, response, flags }))).toEqual(
    Array(4).fill({ prompt: '', response: null, flags: ['withheld'] }),
  )
  const own = ItemPage.parse(await (await get('/items?q=question', anna)).json())
  expect(own.total).toBe(8)
  expect(own.items[4]).toMatchObject({ benchmark: 'gpqa_diamond', prompt: 'Question 0, with a "quote"' })
  record.runs.set(spec.run_id, exampleEnded({ ...spec, visibility: 'private' }))
  expect((await get('/items')).status).toBe(404)
  expect((await get('/items', anna)).status).toBe(200)
})

test('[API40] the list of all items is narrowed to a benchmark of the run in any case, and one it does not have is named', async () => {
  const { get } = await endedRun()
  for (const path of ['/items', '/rows']) {
    expect(await (await get(`${path}?benchmark=GPQA_diamond&outcome=wrong`)).json()).toMatchObject({ total: 1 })
    const refused = await get(`${path}?benchmark=nope`)
    expect(await refused.json()).toMatchObject({ status: 404, code: 'benchmark-not-in-run', detail: expect.stringContaining('mmlu_pro') })
  }
})

test('[API110] the rows of a run are windows of one list, with its length and counts, around an item where one is named', async () => {
  const { get } = await endedRun()
  const rows = async (query: string) => ItemRowPage.parse(await (await get(`/rows?${query}`)).json())
  const first = await rows('limit=3')
  expect(first).toMatchObject({ total: 8, limit: 3, offset: 0, place: null, counts: { outcomes: { right: 4, wrong: 2, failed: 2 } } })
  expect(first.rows[0]).toMatchObject({ benchmark: 'mmlu_pro', item_id: '0', outcome: 'right', snippet: 'Question 0, with a "quote"' })
  const around = await rows('limit=3&around=gpqa_diamond:1:0')
  expect(around).toMatchObject({ offset: 3, place: { before: 5, listed: true } })
  expect(around.rows[2]).toMatchObject({ benchmark: 'gpqa_diamond', item_id: '1' })
  expect(await rows('around=nothing')).toMatchObject({ offset: 0, place: null })
  for (const query of ['limit=0', 'limit=501', 'offset=-1', 'outcome=lost', 'until=x', 'order=random'])
    expect([query, (await get(`/rows?${query}`)).status]).toEqual([query, 422])
})

test('[API26] rows of gated data say no answer, no key and no question to anybody but the owner', async () => {
  const { get, anna } = await endedRun()
  const foreign = ItemRowPage.parse(await (await get('/rows?benchmark=gpqa_diamond')).json())
  for (const row of foreign.rows)
    expect(row).toMatchObject({ answer: null, expected: null, source_id: null, snippet: '', flags: ['withheld'] })
  const own = ItemRowPage.parse(await (await get('/rows?benchmark=gpqa_diamond', anna)).json())
  expect(own.rows[0]).toMatchObject({ snippet: 'Question 0, with a "quote"', flags: [] })
  const item = async (headers = {}) => RunItemDetail.parse(await (await get('/items/gpqa_diamond/0', headers)).json())
  expect((await item()).epochs).toMatchObject([{ epoch: 0, answer: null }])
  expect((await item(anna)).epochs[0]!.answer).not.toBeNull()
})
