import { afterAll, beforeAll, expect, test } from 'vitest'
import { ItemQuery } from '#shared/contract/api.ts'
import { metricRowOf } from '#shared/metrics/metric-row.ts'
import { streamingOf } from '#shared/metrics/streaming.ts'
import { streamRowOf } from '#shared/stream/stream-row.ts'
import { exampleStream } from '#shared/stream/testing/example-stream.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

let database: TestDatabase
let run_id: string
const failure = { at: 'provider', reason: 'rate-limited', retryable: true, detail: 'slow down', status: 429 }
const failed = { outcome: 'failed', score: null, answer: null, evidence: null, failure, latency_ms: null, ttft_ms: null, cost_usd: null }
const wrong = { outcome: 'wrong', score: 0, answer: 'B', flags: ['truncated', 'no-answer'], group: 'math', latency_ms: 5000 }

/** The dearest answer and the longest. */
const measured: Record<number, object> = {
  4: { cost_usd: 2 },
  6: { usage: { input_tokens: 5, output_tokens: 9000, cached_tokens: 0, reasoning_tokens: 0 } },
}

/** Plan order: mmlu_pro 0 to 9 (2 and 5 wrong, 7 failed), then gpqa items 0 and 1 in two epochs each. */
beforeAll(async () => {
  database = await openTestDatabase()
  const spec = exampleSpec({}, ['mmlu_pro', 'gpqa'])
  const head = exampleHead(spec)
  run_id = spec.run_id
  const first = Array.from({ length: 10 }, (_, ordinal) =>
    exampleTrial(ordinal, ordinal === 7 ? failed : [2, 5].includes(ordinal) ? wrong : (measured[ordinal] ?? {})),
  )
  const second = [0, 1, 2, 3].map((n) => {
    const messages = [{ role: 'user', content: `Secret ${n} about 100% of c:\\temp_x` }]
    const place = { benchmark: 'gpqa', item_id: String(n % 2), epoch: Math.floor(n / 2), source_id: `rec${n}` }
    return exampleTrial(10 + n, { ...place, messages, item_metadata: {}, flags: ['late'] })
  })
  await database.store.createRun(spec, head, null)
  await database.store.drain({ run_id, openings: [], trials: [...second, ...first], events: [], head })
})
afterAll(() => database.close())

/** A query as it comes over HTTP: every value is text. */
const asked = (query: object) => ItemQuery.parse(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))

async function ordinals(query: object, benchmark: string | null = null, closed?: string[]) {
  const { items, total } = await database.store.listItems(run_id, benchmark, asked(query), closed)
  return { found: items.map(({ record }) => record.ordinal), total }
}

test('[DB17] items are filtered by benchmark, outcome, group, flag, failure and epoch', async () => {
  expect(await ordinals({}, 'gpqa')).toEqual({ found: [10, 11, 12, 13], total: 4 })
  expect(await ordinals({ outcome: 'wrong' })).toEqual({ found: [2, 5], total: 2 })
  expect(await ordinals({ group: 'math' }, 'mmlu_pro')).toEqual({ found: [2, 5], total: 2 })
  expect(await ordinals({ flag: 'no-answer' })).toEqual({ found: [2, 5], total: 2 })
  expect(await ordinals({ flag: 'no-answer,truncated' })).toEqual({ found: [2, 5], total: 2 })
  expect(await ordinals({ flag: 'no-answer,late' })).toEqual({ found: [], total: 0 })
  expect(await ordinals({ flag: 'late', epoch: '1' })).toEqual({ found: [12, 13], total: 2 })
  expect(await ordinals({ failure: 'provider/rate-limited' })).toEqual({ found: [7], total: 1 })
  expect(await ordinals({ outcome: 'failed', group: 'math' })).toEqual({ found: [], total: 0 })
  expect(await ordinals({}, 'no_such')).toEqual({ found: [], total: 0 })
})

test('[DB18] pages by offset and by ordinal follow the plan and report the true total', async () => {
  expect(await ordinals({ limit: 3 })).toEqual({ found: [0, 1, 2], total: 14 })
  expect(await ordinals({ limit: 3, offset: 12 })).toEqual({ found: [12, 13], total: 14 })
  expect(await ordinals({ limit: 3, after: 4 })).toEqual({ found: [5, 6, 7], total: 14 })
  expect(await ordinals({ limit: 3, after: 4 }, 'gpqa')).toEqual({ found: [10, 11, 12], total: 4 })
  expect(await ordinals({ limit: 3, offset: 99 })).toEqual({ found: [], total: 14 })
})

test('[DB19] items are ordered newest, slowest, dearest or longest first, or lowest score first, missing values last', async () => {
  expect((await ordinals({ order: 'finished', limit: 3 })).found).toEqual([13, 12, 11])
  const slowest = (await ordinals({ order: 'latency' }, 'mmlu_pro')).found
  expect(slowest.slice(0, 3)).toEqual([2, 5, 9])
  expect(slowest.at(-1)).toBe(7)
  expect((await ordinals({ order: 'cost' }, 'mmlu_pro')).found).toEqual([4, 0, 1, 2, 3, 5, 6, 8, 9, 7])
  expect((await ordinals({ order: 'tokens' }, 'mmlu_pro')).found.slice(0, 3)).toEqual([6, 0, 1])
  expect((await ordinals({ order: 'score' }, 'mmlu_pro')).found).toEqual([2, 5, 0, 1, 3, 4, 6, 8, 9, 7])
})

test('[DB20] search looks into ids, answer, response and prompt, ignores case and takes wildcards literally', async () => {
  expect((await ordinals({ q: 'SECRET 3' })).found).toEqual([13])
  expect((await ordinals({ q: '(a), item 4' })).found).toEqual([4])
  expect((await ordinals({ q: 'question 6?' })).found).toEqual([6])
  expect((await ordinals({ q: 'rec1' })).found).toEqual([11])
  expect((await ordinals({ q: '100% of c:\\temp_x' })).total).toBe(4)
  expect((await ordinals({ q: '100_' })).total).toBe(0)
  expect((await ordinals({ q: 'c:%x' })).total).toBe(0)
  expect((await ordinals({ q: "'); drop table trials; --" })).total).toBe(0)
})

test('[DB21] in closed benchmarks search finds ids only, for lists and for neighbours', async () => {
  expect((await ordinals({ q: 'secret' }, null, ['gpqa'])).found).toEqual([])
  expect((await ordinals({ q: 'rec1' }, null, ['gpqa'])).found).toEqual([11])
  expect((await ordinals({ q: 'question 6?' }, null, ['gpqa'])).found).toEqual([6])
  const query = ItemQuery.parse({ q: 'secret' })
  const item = await database.store.findItem(run_id, 'gpqa', '0', 0, query, ['gpqa'])
  expect([item?.previous, item?.next]).toEqual([null, null])
})

test('[DB22] an item comes whole, with the neighbours of the same filter in plan order', async () => {
  const find = (benchmark: string, item_id: string, epoch: number, query = {}) =>
    database.store.findItem(run_id, benchmark, item_id, epoch, ItemQuery.parse(query))
  const found = await find('mmlu_pro', '5', 0)
  expect(found).toMatchObject({ previous: '4:0', next: '6:0', trial: exampleTrial(5, wrong) })
  expect(await find('mmlu_pro', '5', 0, { outcome: 'wrong' })).toMatchObject({ previous: '2:0', next: null })
  expect(await find('mmlu_pro', '4', 0, { outcome: 'wrong' })).toMatchObject({ previous: '2:0', next: '5:0' })
  expect(await find('gpqa', '0', 1)).toMatchObject({ previous: '1:0', next: '1:1' })
  expect(await find('mmlu_pro', '9', 0)).toMatchObject({ next: null })
  expect(await find('mmlu_pro', '5', 1)).toBeUndefined()
  expect(await find('mmlu_pro', '404', 0)).toBeUndefined()
})

test('[DB23] listed records leave out reasoning and earlier messages and are whole otherwise', async () => {
  const { items } = await database.store.listItems(run_id, 'mmlu_pro', asked({ limit: 8 }))
  const { record } = exampleTrial(0)
  const messages = [{ role: 'user', content: 'Question 0?' }]
  expect(items[0]?.record).toEqual({ ...record, messages, evidence: { ...record.evidence, reasoning: null } })
  expect(items[7]?.record.evidence).toBeNull()
})

test('[DB24] trials come whole in plan order, in pages by ordinal', async () => {
  const { store } = database
  const pages = [await store.listTrials(run_id, -1, 9), await store.listTrials(run_id, 8, 9)]
  expect(pages.map((page) => page.trials.map(({ record }) => record.ordinal))).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12, 13],
  ])
  expect(pages.map((page) => page.next)).toEqual([8, null])
  expect(pages[0]?.trials[3]).toEqual(exampleTrial(3))
})

test('[DB25] the summary counts outcomes, tokens, cost and failures, most frequent first', async () => {
  const { store } = database
  expect(await store.summarise(run_id, 'mmlu_pro')).toEqual({
    correct: 7,
    incorrect: 2,
    errors: 1,
    avg_latency_ms: expect.closeTo((100 * 7 + 0 + 1 + 3 + 4 + 6 + 8 + 9 + 10_000) / 9),
    avg_ttft_ms: 10,
    input_tokens: 905,
    output_tokens: 9180,
    cost_usd: expect.closeTo(2.008),
    error_breakdown: [{ message: 'provider/rate-limited', count: 1 }],
  })
  const nothing = { correct: 0, incorrect: 0, errors: 0, avg_latency_ms: null, avg_ttft_ms: null, cost_usd: null, error_breakdown: [] }
  expect(await store.summarise(run_id, 'none')).toEqual({ ...nothing, input_tokens: 0, output_tokens: 0 })
})

test('[DB26] metric rows carry what metrics read, with the number of options where an item has them', async () => {
  const { store } = database
  const rows = await store.listMetricRows(run_id, 'mmlu_pro')
  expect(rows).toHaveLength(10)
  const row = {
    item_id: '2',
    epoch: 0,
    group: 'math',
    outcome: 'wrong',
    score: 0,
    answer: 'B',
    flags: ['truncated', 'no-answer'],
    detail: {},
    options: 3,
    latency_ms: 5000,
    ttft_ms: 10,
    stream: null,
  }
  expect(rows[2]).toEqual(row)
  expect((await store.listMetricRows(run_id, 'gpqa'))[0]?.options).toBeNull()
})

test('[STREAM9] how answers came in reaches the metrics from the record as it does from the trials themselves', async () => {
  const spec = exampleSpec({}, ['mmlu_pro'])
  const streams = [exampleStream(), exampleStream({ end: 'cut', connect_ms: 3.25, content: null }), undefined]
  const given = streams.map((stream, ordinal) => exampleTrial(ordinal, { ...(stream && { stream }) }))
  await database.store.createRun(spec, exampleHead(spec), null)
  await database.store.drain({ run_id: spec.run_id, openings: [], trials: given, events: [], head: exampleHead(spec) })
  const rows = await database.store.listMetricRows(spec.run_id, 'mmlu_pro')
  expect(rows.map(({ stream }) => stream)).toEqual([streamRowOf(streams[0]!), streamRowOf(streams[1]!), null])
  expect(streamingOf(rows)).toEqual(streamingOf(given.map(({ record }) => metricRowOf(record))))
  const [page] = [await database.store.listTrials(spec.run_id, -1, 9)]
  expect(page.trials.map(({ record }) => record.stream)).toEqual(streams)
  const listed = await database.store.listItems(spec.run_id, null, { limit: 10, offset: 0, order: 'plan' })
  expect(listed.items.map(({ record }) => record.stream)).toEqual(streams)
  const evidence = await database.store.listEvidence(spec.run_id, 'mmlu_pro', -1, 10)
  expect(evidence.records.map(({ stream }) => stream)).toEqual(streams)
})

test('[STREAM9] a list of runs comes without histograms, a run with them', async () => {
  const spec = exampleSpec({}, ['mmlu_pro'])
  await database.store.createRun(spec, exampleHead(spec), null)
  await database.store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: 1, streaming: { n: 1 } })
  expect((await database.store.findRun(spec.run_id))?.metrics).toEqual({ mmlu_pro: { accuracy: 1, streaming: { n: 1 } } })
  const filter = { viewers: [spec.owner_id], mine: true, limit: 50, offset: 0, order: 'newest', ids: [spec.run_id] }
  const { runs } = await database.store.listRuns(filter as never)
  expect(runs.map((run) => run.metrics)).toEqual([{ mmlu_pro: { accuracy: 1 } }])
})

test('[DB27] metrics are kept with their run and give the average latency of their benchmark over all runs', async () => {
  const { store } = database
  await store.saveMetrics(run_id, 'mmlu_pro', { accuracy: { value: 0.7 } })
  await store.saveMetrics(run_id, 'mmlu_pro', { accuracy: { value: 0.8 } })
  await store.saveMetrics(run_id, 'not_planned', { accuracy: 1 })
  expect((await store.findRun(run_id))?.metrics).toEqual({ mmlu_pro: { accuracy: { value: 0.8 } } })
  const other = exampleSpec()
  await store.createRun(other, exampleHead(other), null)
  await store.drain({
    run_id: other.run_id,
    openings: [],
    trials: [exampleTrial(0, { latency_ms: 50 })],
    events: [],
    head: exampleHead(other),
  })
  await store.saveMetrics(other.run_id, 'mmlu_pro', {})
  const total = 100 * 7 + 31 + 10_000 + 50
  expect(await store.listBenchmarkLatency()).toEqual({ mmlu_pro: expect.closeTo(total / 10) })
})

test('[DB46] [RUN117] runs of a demo model, of replayed answers and over sample rows leave the average latency of a benchmark as it is', async () => {
  const { store } = database
  const planned = exampleSpec().benchmarks[0]!
  const sample = { ...planned, data: { ...planned.data, source: 'sample' } }
  const invented = [
    exampleSpec({ model: { id: 'demo', slug: 'demo-model', provider: 'demo' }, benchmarks: [{ ...planned, name: 'quick' }] }),
    exampleSpec({ benchmarks: [{ ...sample, name: 'quick' }] }),
    exampleSpec({ model: { id: 'kept', slug: 'kept', provider: 'replay' }, benchmarks: [{ ...planned, name: 'quick' }] }),
  ]
  const real = exampleSpec({
    benchmarks: [
      { ...planned, name: 'quick' },
      { ...sample, name: 'aside' },
    ],
  })
  for (const spec of [...invented, real]) {
    await store.createRun(spec, exampleHead(spec), null)
    const trial = exampleTrial(0, { benchmark: 'quick', latency_ms: spec === real ? 700 : 1 })
    await store.drain({ run_id: spec.run_id, openings: [], trials: [trial], events: [], head: exampleHead(spec) })
    await store.saveMetrics(spec.run_id, 'quick', { accuracy: 1 })
    if (spec !== real) expect(await store.listBenchmarkLatency()).not.toHaveProperty('quick')
  }
  expect(await store.listBenchmarkLatency()).toMatchObject({ quick: 700 })
  expect((await store.findRun(invented[0]!.run_id))?.metrics).toEqual({ quick: { accuracy: 1 } })
})
