import { expect, test } from 'vitest'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import { bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { exampleCard, exampleModel } from '../testing/example-records.ts'

const params = { temperature: 0, top_p: null, max_tokens: 100, stop: null, seed: null, reasoning_effort: null }
const judge = { model: 'lab/judge', provider: null, params, schema: true, estimate: { input_tokens: 1000, output_tokens: 50 } }
const official = { id: 'official', title: '', texts: [], files: [], tables: [], params, epochs: 1 }
const cards = [
  exampleCard({ name: 'essay', evidence: 'judged', total_items: 100, profiles: [{ ...official, roles: { judge } }] }),
  exampleCard({ name: 'quiz', default_selected: false, profiles: [official] }),
  exampleCard({ name: 'shown', default_selected: false, input: ['text', 'image'], min_context: 1000, profiles: [official] }),
]
const price = { input_per_million_usd: 3, output_per_million_usd: 20, cached_input_per_million_usd: null }
const model = exampleModel()
const judging = exampleModel({ id: 'c0ffee00-0000-4000-8000-00000000000a', slug: 'lab/judge', price })
const away = exampleModel({ id: 'c0ffee00-0000-4000-8000-00000000000c', slug: 'lab/away', is_active: false })

/** One provider with prices, and one whose models are only named. */
const providers = [
  { id: 'chutes', label: 'Chutes', kind: 'chutes' as const, base_url: 'https://llm.example/v1', models: [] },
  { id: 'mine', label: 'Mine', kind: 'openai' as const, base_url: 'http://127.0.0.1:1/v1', models: [namedModel('lab/foreign')] },
]

async function ready(models = [model, judging, away]) {
  const app = openApp({ cards, config: { providers } })
  for (const one of models) app.record.models.set(one.id, one)
  const own = bearer(await giveKey(app, 'anna'))
  const send = (body: object, path = '/api/runs', headers: Record<string, string> = own) =>
    app.call('POST', path, {
      headers,
      body: { model_id: model.id, ...('selected_benchmarks' in body ? {} : { suite: 'default' }), ...body },
    })
  const refused = async (body: object, path?: string, headers?: Record<string, string>) => {
    const response = await send(body, path, headers)
    const { detail, errors } = (await response.json()) as { detail: string; errors?: { pointer: string }[] }
    return { status: response.status, detail, pointer: errors?.[0]?.pointer }
  }
  const preview = async (body: object) => PlanPreview.parse(await (await send(body, '/api/runs/plan')).json())
  return { ...app, send, refused, preview }
}

test("[API80] a run is frozen with its judge and the judge's price: the benchmark's own, or another", async () => {
  const { send } = await ready()
  const plannedOf = async (body: object) => {
    const response = await send(body)
    expect(response.status).toBe(201)
    const run = Run.parse(await response.json())
    return [run.spec.benchmarks[0]!.roles?.judge, run.head.roles?.judge]
  }
  const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }
  expect(await plannedOf({})).toEqual([
    { model: { id: judging.id, slug: 'lab/judge', provider: 'chutes' }, price, params, schema: true },
    { usage, cost_usd: 0 },
  ])
  expect(await plannedOf({ judge: { model_id: 'lab/foreign', provider: 'mine' } })).toMatchObject([
    { model: { slug: 'lab/foreign', provider: 'mine' }, price: null },
    { cost_usd: null },
  ])
  expect(await plannedOf({ roles: { judge: { model_id: 'lab/foreign' } } })).toMatchObject([{ model: { slug: 'lab/foreign' } }, {}])
  expect(await plannedOf({ selected_benchmarks: ['quiz'] })).toEqual([undefined, undefined])
})

test('[API80] a judge that is unknown, not served or the tested model itself is 422 at /judge and starts nothing', async () => {
  const { refused, record, send } = await ready()
  for (const path of ['/api/runs', '/api/runs/plan']) {
    for (const [model_id, says] of [
      ['lab/nobody', 'lab/nobody, which is not known'],
      ['lab/away', 'lab/away, which is not known or not being served'],
      [model.id, 'allow_self_judge'],
    ] as const) {
      const answer = await refused({ judge: { model_id } }, path)
      expect(answer).toMatchObject({ status: 422, pointer: '/judge' })
      expect(answer.detail).toContain(says)
    }
  }
  const alone = await ready([model])
  expect((await alone.refused({})).detail).toContain('judged by lab/judge')
  expect([record.runs.size, alone.record.runs.size]).toEqual([0, 0])
  expect((await send({ judge: { model_id: model.id }, allow_self_judge: true })).status).toBe(201)
})

test('[API81] the plan tells apart what the judge would take, and names a judge that is not the benchmark’s own', async () => {
  const { preview } = await ready()
  const plan = await preview({})
  expect(plan).toMatchObject({ trials: 100, input_tokens: 30_000, roles: { judge: { input_tokens: 100_000, output_tokens: 5_000 } } })
  expect(plan.roles.judge!.cost_usd).toBeCloseTo(0.4, 10)
  expect(plan.benchmarks[0]!.roles.judge).toBe('lab/judge')
  expect(plan.notes.join(' ')).not.toContain('judge')
  const other = await preview({ judge: { model_id: 'lab/foreign' } })
  expect(other.roles.judge!.cost_usd).toBeNull()
  expect(other.notes.join(' ')).toMatch(
    /essay is judged by lab\/foreign instead of lab\/judge.*price of the judge lab\/foreign is not known/,
  )
  expect((await preview({ judge: { model_id: model.id }, allow_self_judge: true })).notes.join(' ')).toContain(
    'judges its own answers to essay',
  )
  const quiz = await preview({ selected_benchmarks: ['quiz'], judge: { model_id: 'lab/judge' } })
  expect([quiz.roles, quiz.benchmarks[0]!.roles]).toEqual([{}, {}])
  expect(quiz.notes.join(' ')).toContain('no benchmark of this run has one')
})

test('[API81] a budget below the sum of both costs is noted', async () => {
  const { preview } = await ready()
  const sum = (await preview({})).cost_usd! + 0.4
  expect((await preview({ budget_usd: sum - 0.01 })).notes.join(' ')).toContain('The budget of $')
  expect((await preview({ budget_usd: sum + 1000 })).notes.join(' ')).not.toContain('The budget of $')
})

test('[API82] a Chutes key pays for a judge on Chutes and for no other', async () => {
  const { refused, send } = await ready()
  const paid = bearer(chutesKey)
  expect(await refused({ judge: { model_id: 'lab/foreign' } }, '/api/runs', paid)).toMatchObject({ status: 422, pointer: '/judge' })
  expect((await send({}, '/api/runs', paid)).status).toBe(201)
})

test('[API83] a model that cannot take the questions is 422 at /model_id; what is not known is a note of the plan', async () => {
  const body = { selected_benchmarks: ['shown'] }
  const blind = await ready()
  expect(await blind.refused(body)).toMatchObject({ status: 422, pointer: '/model_id' })
  const short = await ready([exampleModel({ input_modalities: ['text', 'image'], context_length: 999 })])
  expect((await short.refused(body)).detail).toContain('needs a context of 1,000 tokens')
  const unknown = await ready([exampleModel({ input_modalities: [], context_length: null })])
  expect((await unknown.preview(body)).notes.filter((note) => note.includes('not known'))).toHaveLength(2)
  expect((await unknown.send(body)).status).toBe(201)
})

test('[PROV19] model, judge and helpers may be named with their provider in front; an id of that form wins', async () => {
  const own = exampleModel({ id: 'm', slug: 'mine/lab/judge', chute_id: null })
  const { send, refused } = await ready([model, judging, own])
  const served = async (body: object) => {
    const { spec } = Run.parse(await (await send({ selected_benchmarks: ['essay'], ...body })).json())
    return [spec.model, spec.benchmarks[0]!.roles!.judge!.model].map(({ slug, provider }) => `${slug} at ${provider}`)
  }
  const plain = { model_id: `chutes/${model.slug}`, judge: { model_id: 'chutes/lab/judge' } }
  expect(await served(plain)).toEqual([`${model.slug} at chutes`, 'lab/judge at chutes'])
  expect(await served({ ...plain, judge: { model_id: 'mine/lab/foreign', provider: 'mine' } })).toEqual([
    `${model.slug} at chutes`,
    'lab/foreign at mine',
  ])
  expect(await served({ ...plain, roles: { judge: { model_id: 'mine/lab/judge' } }, judge: null })).toEqual([
    `${model.slug} at chutes`,
    'mine/lab/judge at chutes',
  ])
  expect(await refused({ model_id: `mine/${model.slug}` })).toMatchObject({ status: 404 })
  expect(await refused({ model_id: 'mine/lab/foreign', provider: 'chutes' })).toMatchObject({ status: 404 })
})
