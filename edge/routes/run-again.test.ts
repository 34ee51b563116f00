import { expect, test } from 'vitest'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import { ItemListPage } from '#shared/contract/item-list.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleModel, exampleSpec, exampleTrials } from '../testing/example-records.ts'

const model = exampleModel()
const list = {
  keys: Array.from({ length: 1000 }, (_, id) => `q${id}`),
  groups: ['law', 'maths'],
  group_of: Array.from({ length: 1000 }, (_, id) => id % 2),
}

async function stage() {
  const app = openApp()
  app.record.models.set(model.id, model)
  const headers = bearer(await giveKey(app, 'owner'))
  const ask = async (method: string, path: string, body?: object, as: Record<string, string> = headers) => {
    const response = await app.call(method, path, { headers: as, ...(body && { body }) })
    return { status: response.status, answer: (await response.json()) as ProblemBody & Record<string, unknown>, headers: response.headers }
  }
  return { ...app, ask, headers }
}

test('[ITEMS7] the items of a benchmark are listed a page at a time, by search and by group', async () => {
  const { ask, lists } = await stage()
  lists.set('mmlu_pro', { type: 'listed', list })
  const page = async (query: string) =>
    ItemListPage.parse((await ask('GET', `/api/benchmarks/mmlu_pro/items?${query}`, undefined, {})).answer)
  const first = await page('limit=2')
  expect(first).toMatchObject({
    benchmark: 'mmlu_pro',
    total: 1000,
    matching: 1000,
    next: 2,
    groups: [
      { group: 'law', items: 500 },
      { group: 'maths', items: 500 },
    ],
  })
  expect(first.items).toEqual([
    { item_id: '0', key: 'q0', group: 'law' },
    { item_id: '1', key: 'q1', group: 'maths' },
  ])
  expect(await page('group=maths&search=Q99&offset=3')).toMatchObject({
    matching: 6,
    next: null,
    items: [{ key: 'q995' }, { key: 'q997' }, { key: 'q999' }],
  })
  expect((await ask('GET', '/api/benchmarks/nope/items')).answer.code).toBe('unknown-benchmark')
})

test('[ITEMS7] until an agent has listed them the answer says for what it waits, and how to choose without it', async () => {
  const { ask, lists } = await stage()
  const told = async () => {
    const { status, answer, headers } = await ask('GET', '/api/benchmarks/mmlu_pro/items')
    return [status, answer.detail, headers.get('retry-after')]
  }
  expect(await told()).toEqual([503, expect.stringContaining('none is connected that can'), '30'])
  lists.set('mmlu_pro', { type: 'reading' })
  expect(await told()).toEqual([503, expect.stringContaining('is reading the data'), '5'])
  lists.set('mmlu_pro', { type: 'refused', why: 'The data is gated.' })
  expect(await told()).toEqual([503, expect.stringMatching(/The data is gated.*id:0-99/), null])
})

test('[ITEMS7] names of the operator’s own rows are for who has a key', async () => {
  const { ask, lists, deps, headers } = await stage()
  lists.set('mmlu_pro', { type: 'listed', list })
  const { dataFor } = deps
  deps.dataFor = (name, _choice, provider) => ({ ...dataFor(name, 'pinned', provider)!, source: 'override', private: true })
  const body = { model_id: model.id, items: { mmlu_pro: ['q1'] } }
  expect((await ask('GET', '/api/benchmarks/mmlu_pro/items', undefined, {})).status).toBe(401)
  expect((await ask('POST', '/api/runs/plan', body, {})).status).toBe(401)
  expect((await ask('GET', '/api/benchmarks/mmlu_pro/items', undefined, headers)).status).toBe(200)
})

test('[ITEMS3] a run of chosen items is planned and started by their names', async () => {
  const { ask, lists, record } = await stage()
  lists.set('mmlu_pro', { type: 'listed', list })
  const body = { model_id: model.id, items: { mmlu_pro: ['q7', 'group:maths'] }, subset_count: 3 }
  const plan = PlanPreview.parse((await ask('POST', '/api/runs/plan', body)).answer)
  expect(plan.benchmarks).toMatchObject([{ name: 'mmlu_pro', items: 3, chosen: true }])
  const { status, answer } = await ask('POST', '/api/runs', body)
  const run = Run.parse(answer)
  expect([status, run.labels, run.benchmarks[0]?.chosen]).toEqual([201, ['chosen'], true])
  expect(record.runs.get(run.id)!.spec.benchmarks[0]!.items!.every((id) => id % 2 === 1)).toBe(true)
  const wrong = await ask('POST', '/api/runs', { ...body, items: { mmlu_pro: ['nothing'] } })
  expect([wrong.status, wrong.answer.errors]).toEqual([422, [{ pointer: '/items/mmlu_pro', message: expect.stringContaining('nothing') }]])
})

test('[ITEMS8] whoever may read a run starts one that asks items of it once more, on his own account', async () => {
  const app = await stage()
  const spec = exampleSpec({ owner_id: 'owner', visibility: 'public', model: { id: model.id, slug: model.slug, provider: model.provider } })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const other = bearer(await giveKey(app, 'other'))
  const again = (body: object, as = other) => app.ask('POST', `/api/runs/${spec.run_id}/again`, { benchmark: 'mmlu_pro', ...body }, as)
  const { status, answer, headers } = await again({ items: ['id:3'], epochs: 2 })
  const run = Run.parse(answer)
  expect([status, headers.get('location'), run.visibility]).toEqual([201, `/api/runs/${run.id}`, 'private'])
  expect(app.record.runs.get(run.id)!.spec).toMatchObject({
    owner_id: 'other',
    benchmarks: [{ items: [3], epochs: 2, profile: spec.benchmarks[0]!.profile }],
  })
  expect((await again({ items: ['id:3'], benchmark: 'hle' })).answer.code).toBe('benchmark-not-in-run')
  app.record.runs.set(spec.run_id, exampleEnded({ ...spec, visibility: 'private' }))
  expect((await again({ items: ['id:3'] })).answer.code).toBe('run-not-found')
})

test('[ITEMS9] the owner has one item tried again that could not be scored; a score stays, and what would fail again is not tried', async () => {
  const app = await stage()
  const spec = exampleSpec({ owner_id: 'owner' })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.living.set(spec.run_id, { spec, head: exampleEnded(spec).head })
  const failure = (reason: string) => ({ at: 'provider', reason, retryable: true, status: 503, detail: 'x' }) as never
  const [first, ...rest] = exampleTrials()
  const retry = (query = '') => app.ask('POST', `/api/runs/${spec.run_id}/items/mmlu_pro/${first!.record.item_id}/retry${query}`)
  const put = (failed: never | null) =>
    app.record.trials.set(spec.run_id, [
      { ...first!, record: { ...first!.record, failure: failed, outcome: failed ? 'failed' : 'right' } },
      ...rest,
    ])
  put(null)
  expect((await retry()).answer).toMatchObject({ code: 'wrong-state', detail: expect.stringContaining('a score stays') })
  put(failure('content-filter'))
  expect((await retry()).answer).toMatchObject({ code: 'wrong-state', detail: expect.stringContaining('provider/content-filter') })
  expect(app.commands).toEqual([])
  put(failure('overloaded'))
  expect(await retry()).toMatchObject({ status: 200, answer: { success: true } })
  expect(app.commands).toEqual([{ run_id: spec.run_id, command: { type: 'retry_failed', ordinals: [first!.record.ordinal] } }])
  expect((await retry('?epoch=9')).answer.code).toBe('item-not-found')
})
