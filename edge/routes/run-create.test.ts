import { describe, expect, test } from 'vitest'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import { credentialContext } from '../auth/seal.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

const model = exampleModel()
async function readyApp(options: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(options)
  app.record.models.set(model.id, model)
  const headers = bearer(await giveKey(app, 'anna'))
  const create = async (body: Record<string, unknown> = {}, extra: Record<string, string> = {}, path = '/api/runs') =>
    app.call('POST', path, { headers: { ...headers, ...extra }, body: { model_id: model.id, selected_benchmarks: ['mmlu_pro'], ...body } })
  return { ...app, headers, create }
}
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

describe('who and what', () => {
  test('[API9] an owner starts a run; it is stored, frozen with its price, and handed to its object', async () => {
    const { create, record, living } = await readyApp()
    const response = await create({ selected_benchmarks: ['mmlu_pro'], subset_pct: 5, subset_seed: ' <b>seed</b> ' })
    expect(response.status).toBe(201)
    const run = Run.parse(await response.json())
    expect(response.headers.get('location')).toBe(`/api/runs/${run.id}`)
    expect(run).toMatchObject({ status: 'queued', model_slug: model.slug, subset_seed: '<b>seed</b>', mine: true, overall_score: null })
    expect(run.benchmarks).toMatchObject([{ benchmark_name: 'mmlu_pro', total_items: 1000, sampled_items: 50, score: null }])
    expect(record.runs.get(run.id)!.spec).toMatchObject({ owner_id: 'anna', price: model.price })
    expect(living.get(run.id)!.spec).toEqual(record.runs.get(run.id)!.spec)
    expect(record.owners.get('anna')).toBe('key')
  })

  test('[API131] a price that a request names is the model’s for this run; without one there is no cost to bound', async () => {
    const { create, record, call } = await readyApp()
    record.models.set(model.id, { ...model, price: null })
    const price = { input_per_million_usd: 1, output_per_million_usd: 2, cached_input_per_million_usd: null }
    expect(await codeOf(await create({ budget_usd: 1 }))).toEqual([422, 'validation'])
    const priced = await create({ budget_usd: 1, price, name: 'priced', tags: ['a'] })
    expect(priced.status).toBe(201)
    const run = Run.parse(await priced.json())
    expect(run).toMatchObject({ name: 'priced', tags: ['a'], spec: { price, budget_usd: 1 } })
    expect(record.runs.get(run.id)!.spec.price).toEqual(price)
    const plan = async (body: object) => {
      const answer = await call('POST', '/api/runs/plan', { body: { model_id: model.id, selected_benchmarks: ['mmlu_pro'], ...body } })
      return PlanPreview.parse(await answer.json())
    }
    const [free, paid] = [await plan({}), await plan({ price })]
    expect(free.cost_usd).toBeNull()
    expect(paid.cost_usd).toBeCloseTo((paid.input_tokens * 1 + paid.output_tokens * 2) / 1e6)
    expect((await create({ price: { input_per_million_usd: -1 } })).status).toBe(422)
  })

  test('[API9] anonymous visitors and read keys start nothing; the local owner does', async () => {
    const app = await readyApp()
    const body = { model_id: model.id, selected_benchmarks: ['mmlu_pro'] }
    for (const path of ['/api/runs', '/api/runs/api']) {
      expect(await codeOf(await app.call('POST', path, { body }))).toEqual([401, 'unauthorized'])
      const read = bearer(await giveKey(app, 'anna', ['runs:read']))
      expect(await codeOf(await app.call('POST', path, { body, headers: read }))).toEqual([403, 'forbidden'])
    }
    expect(app.record.runs.size).toBe(0)
    const local = await readyApp({ config: { local: true } })
    expect((await local.call('POST', '/api/runs', { body, host: 'http://127.0.0.1:8787' })).status).toBe(201)
    expect([...local.record.runs.values()][0]!.spec.owner_id).toBe('local')
  })

  test('[API10] a bearer Chutes key is stored sealed, for this run alone, and is nowhere in what is answered', async () => {
    const { deps, record, call } = await readyApp()
    for (const path of ['/api/runs', '/api/runs/api']) {
      const response = await call('POST', path, {
        headers: bearer(chutesKey),
        body: { model_id: model.slug, selected_benchmarks: ['mmlu_pro'] },
      })
      const text = await response.text()
      expect(response.status).toBe(201)
      expect(text).not.toContain('cpk_')
      const run = Run.parse(JSON.parse(text))
      const sealed = record.credentials.get(run.id)!
      expect(sealed).not.toContain(chutesKey)
      expect(await deps.seal.open(sealed, credentialContext(record.runs.get(run.id)!.spec))).toBe(chutesKey)
    }
  })

  test('[API10] a Chutes key is not sent to another provider', async () => {
    const { call, record } = await readyApp()
    const response = await call('POST', '/api/runs', {
      headers: bearer(chutesKey),
      body: { model_id: 'demo/coin', selected_benchmarks: ['mmlu_pro'] },
    })
    expect(await codeOf(response)).toEqual([422, 'validation'])
    expect(record.credentials.size).toBe(0)
  })
})

describe('what is asked', () => {
  test('[API11] unknown provider is 400, unknown model 404, inactive model 404, unknown benchmark 422: nothing is dropped silently', async () => {
    const { create, record } = await readyApp()
    expect(await codeOf(await create({ provider: 'nobody' }))).toEqual([400, 'unknown-provider'])
    expect(await codeOf(await create({ model_id: 'no/such' }))).toEqual([404, 'model-not-found'])
    expect(await codeOf(await create({ provider: 'demo' }))).toEqual([404, 'model-not-found'])
    record.models.set('cold', exampleModel({ id: 'cold', slug: 'cold/model', is_active: false }))
    expect(await codeOf(await create({ model_id: 'cold/model' }))).toEqual([404, 'model-unavailable'])
    expect(await codeOf(await create({ selected_benchmarks: ['mmlu_pro', 'nonsense'] }))).toEqual([422, 'unknown-benchmark'])
    expect(record.runs.size).toBe(0)
  })

  test('[API12] names are read in any case and by their old aliases; only the suite named default means the default ones', async () => {
    const { create, record } = await readyApp()
    const named = Run.parse(await (await create({ selected_benchmarks: ['IF_Bench', 'if-bench', 'MMLU_PRO'] })).json())
    expect(named.selected_benchmarks).toEqual(['ifbench', 'mmlu_pro'])
    const former = Run.parse(await (await create({ selected_benchmarks: undefined, benchmark_names: ['mmlu_pro'] })).json())
    expect(former.selected_benchmarks).toEqual(['mmlu_pro'])
    expect(await codeOf(await create({ benchmark_names: ['mmlu_pro'] }))).toEqual([422, 'validation'])
    const before = record.runs.size
    for (const path of ['/api/runs', '/api/runs/api', '/api/runs/plan']) {
      for (const selected_benchmarks of [[], null, undefined]) {
        const refused = await create({ selected_benchmarks }, {}, path)
        expect(await refused.json()).toMatchObject({ status: 422, errors: [{ pointer: '/selected_benchmarks' }] })
      }
    }
    expect(await codeOf(await create({ suite: 'default' }))).toEqual([422, 'validation'])
    expect(record.runs.size).toBe(before)
    const run = Run.parse(await (await create({ selected_benchmarks: null, suite: 'default' })).json())
    expect(run.selected_benchmarks).toEqual(['mmlu_pro'])
  })

  test('[API13] the default seed is the same word for every run, never its id', async () => {
    const { create } = await readyApp()
    for (const subset_seed of [undefined, null, '', '  ']) {
      const run = Run.parse(await (await create({ subset_seed, subset_pct: 5 })).json())
      expect([run.spec.subset.seed, run.subset_seed]).toEqual(['default', null])
    }
  })

  test('[API13] a count beats the percentage and is clamped; a percentage takes its floor, at least one', async () => {
    const { create } = await readyApp()
    const sizes = [
      [{ subset_count: 7, subset_pct: 50 }, 7],
      [{ subset_count: 5000 }, 1000],
      [{ subset_pct: 1 }, 10],
      [{ subset_pct: 1, selected_benchmarks: ['gpqa_diamond'] }, 1],
      [{ subset_pct: 1, selected_benchmarks: ['mmlu_pro'], data: 'sample' }, 1],
    ] as const
    for (const [body, size] of sizes) {
      const run = Run.parse(await (await create(body)).json())
      expect([body, run.benchmarks[0]!.sampled_items]).toEqual([body, size])
    }
  })

  test('[API14] a profile gives epochs and parameters, the body overrides them', async () => {
    const { create } = await readyApp()
    const planned = async (body: Record<string, unknown>) => Run.parse(await (await create(body)).json()).spec.benchmarks[0]!
    expect(await planned({})).toMatchObject({ profile: 'official', epochs: 1, params: { temperature: 0, max_tokens: 2048, top_p: null } })
    expect(await planned({ profile: 'repeated' })).toMatchObject({ epochs: 4, params: { temperature: 1 } })
    expect(
      await planned({ profile: 'repeated', epochs: 2, temperature: 0.5, top_p: 0.9, max_tokens: 64, reasoning_effort: 'low' }),
    ).toMatchObject({ epochs: 2, params: { temperature: 0.5, top_p: 0.9, max_tokens: 64, reasoning_effort: 'low' } })
    expect(await codeOf(await create({ profile: 'none' }))).toEqual([422, 'validation'])
  })

  test('[API14] data that is not offered here is 422 and says what to choose; the sample frees gated data and labels the run', async () => {
    const { create } = await readyApp()
    const refused = (await (await create({ data: 'override' })).json()) as { detail: string }
    expect(refused.detail).toContain('"sample"')
    const run = Run.parse(await (await create({ data: 'sample', selected_benchmarks: ['gpqa_diamond'] })).json())
    expect(run.labels).toEqual(['sample'])
    expect(run.spec.benchmarks[0]).toMatchObject({ gated: false, total_items: 12 })
    const demo = Run.parse(await (await create({ model_id: 'demo/coin' })).json())
    expect(demo.labels).toEqual(['demo', 'sample'])
  })

  test('[API15] a budget needs a known price', async () => {
    const { create, record } = await readyApp()
    expect((await create({ budget_usd: 2 })).status).toBe(201)
    record.models.set(model.id, { ...model, price: null })
    expect(await codeOf(await create({ budget_usd: 2 }))).toEqual([422, 'validation'])
  })
})

describe('once', () => {
  test('[API16] an Idempotency-Key answers the same request with the same run, another request with 409', async () => {
    const { create, record, living } = await readyApp()
    const key = { 'idempotency-key': 'k1' }
    const first = Run.parse(await (await create({ subset_pct: 5 }, key)).json())
    const again = await create({ subset_pct: 5 }, key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(Run.parse(await again.json()).id).toBe(first.id)
    expect(await codeOf(await create({ subset_pct: 6 }, key))).toEqual([409, 'idempotency-conflict'])
    expect([record.runs.size, living.size]).toEqual([1, 1])
  })

  test('[API16] a run whose object was never told is told on the next try; another owner’s key is another key', async () => {
    const app = await readyApp()
    const key = { 'idempotency-key': 'k1' }
    const first = Run.parse(await (await app.create({}, key)).json())
    app.living.clear()
    expect((await app.create({}, key)).status).toBe(200)
    expect([...app.living.keys()]).toEqual([first.id])
    const other = bearer(await giveKey(app, 'bob'))
    expect((await app.create({}, { ...other, ...key })).status).toBe(201)
  })

  test('[API16] a run that could not begin says so, and begins with the next try', async () => {
    const { create, deps, record } = await readyApp()
    const { create: begin } = deps.runs
    deps.runs.create = () => Promise.reject(new Error('object overloaded'))
    expect(await codeOf(await create({}, { 'idempotency-key': 'k1' }))).toEqual([503, 'unavailable'])
    deps.runs.create = begin
    expect((await create({}, { 'idempotency-key': 'k1' })).status).toBe(200)
    expect(record.runs.size).toBe(1)
  })

  test('[API16] of two equal requests at once one creates and both get the run', async () => {
    const { create, record } = await readyApp()
    const key = { 'idempotency-key': 'k1' }
    const answers = await Promise.all([create({}, key), create({}, key)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 201])
    expect(record.runs.size).toBe(1)
  })

  test('[API17] in maintenance new runs are 503 with the operator’s message, all else goes on', async () => {
    const { create, call } = await readyApp()
    const body = { mode: true, message: 'Back at noon' }
    expect(await codeOf(await call('POST', '/api/admin/maintenance', { body }))).toEqual([401, 'unauthorized'])
    expect((await call('POST', '/api/admin/maintenance', { body, headers: asAdmin })).status).toBe(200)
    const response = await create()
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await response.json()).toMatchObject({ status: 503, code: 'maintenance', detail: 'Back at noon' })
    expect(await (await call('GET', '/api/status')).json()).toMatchObject({ maintenance_mode: true, message: 'Back at noon' })
    expect((await call('GET', '/api/runs')).status).toBe(200)
    await call('POST', '/api/admin/maintenance', { body: { mode: false, message: '' }, headers: asAdmin })
    expect((await create()).status).toBe(201)
  })
})

describe('before', () => {
  test('[API18] a plan says trials, interval, tokens, cost and minutes, and starts nothing', async () => {
    const { call, record, living } = await readyApp()
    record.latency = { mmlu_pro: 6000 }
    const response = await call('POST', '/api/runs/plan', {
      body: { model_id: model.id, selected_benchmarks: ['mmlu_pro'], subset_pct: 10, concurrency: 10, profile: 'repeated' },
    })
    expect(response.status).toBe(200)
    const plan = PlanPreview.parse(await response.json())
    expect(plan).toMatchObject({ trials: 400, input_tokens: 120_000, output_tokens: 280_000, minutes: 4 })
    expect(plan.cost_usd).toBeCloseTo(0.68)
    expect(plan.benchmarks).toMatchObject([{ name: 'mmlu_pro', items: 100, epochs: 4, trials: 400, data_source: 'pinned' }])
    expect(plan.benchmarks[0]!.half_width_pct).toBeGreaterThan(5)
    expect(plan.notes.join()).toContain('No agent is connected')
    expect([record.runs.size, living.size, record.owners.size]).toEqual([0, 0, 0])
  })

  test('[API18] a plan warns of a budget that is too small, an unknown price, and agents that cannot do the work', async () => {
    const { call, record, agents } = await readyApp()
    const agent = { agent_id: 'a', session: 's', host: 'h', version: '1', slots: 1, free_slots: 1, running: 0, draining: false }
    agents.push({ ...agent, capabilities: ['llm'], connected_at: '2026-01-02T03:04:05.000Z' })
    const notes = async (body: Record<string, unknown>) => {
      const response = await call('POST', '/api/runs/plan', { body: { model_id: model.id, selected_benchmarks: ['mmlu_pro'], ...body } })
      return PlanPreview.parse(await response.json()).notes.join()
    }
    expect(await notes({ budget_usd: 0.01 })).toContain('budget of $0.01')
    expect(await notes({ selected_benchmarks: ['ifbench'] })).toContain(
      'ifbench needs an agent with a sandbox (docker) of 2 cpus, 4 GB memory, 10 GB disk',
    )
    expect(await notes({ data: 'sample', max_tokens: 9000 })).toMatch(/invented sample.*4096 tokens at most/)
    record.models.set(model.id, { ...model, price: null })
    expect(await notes({})).toContain('price of example/model-70b is not known')
  })

  test('[API18] a plan refuses what the run would be refused for', async () => {
    const { call } = await readyApp()
    const plan = (body: Record<string, unknown>) =>
      call('POST', '/api/runs/plan', { body: { model_id: model.id, selected_benchmarks: ['mmlu_pro'], ...body } })
    expect(await codeOf(await plan({ model_id: 'no/such' }))).toEqual([404, 'model-not-found'])
    expect(await codeOf(await plan({ provider: 'nobody' }))).toEqual([400, 'unknown-provider'])
    expect(await codeOf(await plan({ selected_benchmarks: ['nonsense'] }))).toEqual([422, 'unknown-benchmark'])
    expect(await codeOf(await plan({ subset_pct: 0 }))).toEqual([422, 'validation'])
  })
})
