import { expect, test } from 'vitest'
import { BenchmarkList, ModelList, Status } from '#shared/contract/api.ts'
import { Model } from '#shared/contract/model.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

function listCatalogue({ answers }: ReturnType<typeof openApp>, name: string) {
  const price = { per_million_tokens: { input: { usd: 1 }, output: { usd: 2 } } }
  const item = { chute_id: 'new-chute', name, standard_template: 'vllm', current_estimated_price: price }
  answers.set('https://catalogue.example/chutes/', () => Response.json({ total: 1, items: [item] }))
  answers.set('https://llm.example/v1/models', () => Response.json({ data: [{ id: name, chute_id: 'new-chute' }] }))
}

test('[API35] models are listed with their true number, searched, and found per provider; configured names are among them', async () => {
  const { call, record } = openApp()
  for (let index = 0; index < 5; index++) record.models.set(`m${index}`, exampleModel({ id: `m${index}`, slug: `org/m${index}` }))
  const list = async (query: string) => ModelList.parse(await (await call('GET', `/api/models?${query}`)).json())
  expect(await list('limit=2&provider=chutes')).toMatchObject({ total: 5, models: [{ id: 'm0' }, { id: 'm1' }] })
  expect((await list('search=org/m3')).total).toBe(1)
  record.models.set('former', exampleModel({ id: 'former', slug: 'org/former', provider: 'former' }))
  expect((await list('search=org/former')).total).toBe(0)
  const demo = (await list('provider=demo')).models
  expect(demo.map((model) => Model.parse(model))).toMatchObject([{ slug: 'demo/coin', is_active: true }])
  expect((await call('GET', '/api/models?limit=0')).status).toBe(422)
})

test('[API35] the configured models keep their ids from one app to the next', async () => {
  const idOf = async () => ModelList.parse(await (await openApp().call('GET', '/api/models?provider=demo')).json()).models[0]!.id
  expect(await idOf()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(await idOf()).toBe(await idOf())
})

test('[API520] models of a server that came up later are listed, synced and run; while it cannot be asked its list stays', async () => {
  const app = openApp()
  let models: string[] | Error = []
  let [clock_ms, asked] = [Date.parse('2026-01-02T03:04:05.000Z'), 0]
  app.deps.now = () => new Date(clock_ms)
  app.deps.listProviders = async () => {
    asked += 1
    if (models instanceof Error) throw models
    return [{ id: 'demo', label: 'Demo', kind: 'demo', base_url: 'http://127.0.0.1:1/v1', models: models.map(namedModel) }]
  }
  const listed = async () =>
    ModelList.parse(await (await app.call('GET', '/api/models?provider=demo')).json()).models.flatMap((one) =>
      one.is_active ? one.slug : [],
    )
  expect(await listed()).toEqual([])
  models = ['late/one']
  expect(await listed()).toEqual([])
  expect(asked).toBe(1)
  clock_ms += 30_000
  expect(await listed()).toEqual(['late/one'])
  models = ['late/one', 'late/two']
  listCatalogue(app, 'org/new')
  const sync = async () => (await app.call('POST', '/api/admin/sync-models', { headers: asAdmin })).json()
  expect(await sync()).toMatchObject({ synced: 3, deactivated: 0 })
  expect(await listed()).toEqual(['late/one', 'late/two'])
  models = ['late/three']
  const start = { model_id: 'late/three', provider: 'demo', suite: 'default' }
  expect((await app.call('POST', '/api/runs', { headers: bearer(await giveKey(app, 'anna')), body: start })).status).toBe(201)
  expect(await listed()).toEqual(['late/three'])
  models = new Error('the supervisor does not answer')
  clock_ms += 30_000
  expect(await listed()).toEqual(['late/three'])
  const other = await app.call('POST', '/api/runs', {
    headers: bearer(await giveKey(app, 'anna')),
    body: { ...start, model_id: 'late/four' },
  })
  expect([other.status, await other.json()]).toMatchObject([503, { detail: expect.stringContaining('the supervisor does not answer') }])
  expect((await app.call('POST', '/api/admin/sync-models', { headers: asAdmin })).status).toBe(503)
})

test('[API36] only an admin reads the catalogue again, and a catalogue that is away is 503', async () => {
  const app = openApp()
  const sync = (headers: Record<string, string>) => app.call('POST', '/api/admin/sync-models', { headers })
  expect((await sync({})).status).toBe(401)
  expect((await sync({ 'x-admin-secret': 'correct hors' })).status).toBe(401)
  expect((await sync(bearer(await giveKey(app, 'anna')))).status).toBe(403)
  expect((await sync(asAdmin)).status).toBe(503)
  listCatalogue(app, 'org/new')
  expect(await (await sync(asAdmin)).json()).toMatchObject({ synced: 2, deactivated: 0 })
})

test('[API36] the key route looks for an unknown model in the catalogue once more, the other route does not', async () => {
  const app = openApp()
  listCatalogue(app, 'org/new')
  const start = (path: string, model_id: string) =>
    app.call('POST', path, { headers: bearer(chutesKey), body: { model_id, suite: 'default' } })
  expect((await start('/api/runs', 'org/new')).status).toBe(404)
  expect((await start('/api/runs/api', 'org/new')).status).toBe(201)
  const asked = app.fetched.length
  expect((await start('/api/runs/api', 'org/other')).status).toBe(404)
  expect(app.fetched.length).toBe(asked + 2)
  app.answers.clear()
  expect((await start('/api/runs/api', 'org/other')).status).toBe(503)
})

test('[API37] benchmarks are listed on the data a run would use, with measured latency where there is one', async () => {
  const { call, record } = openApp()
  record.latency = { mmlu_pro: 850 }
  const list = async (query = '') => BenchmarkList.parse(await (await call('GET', `/api/benchmarks${query}`)).json()).benchmarks
  const [first, second] = await list()
  expect(first).toMatchObject({ name: 'mmlu_pro', total_items: 1000, data_source: 'pinned', avg_item_latency_ms: 850, is_enabled: true })
  expect(second).toMatchObject({ default_selected: false, avg_item_latency_ms: null })
  expect((await list('?provider=demo'))[0]).toMatchObject({ data_source: 'sample', total_items: 12 })
  expect((await call('GET', '/api/benchmarks?provider=nobody')).status).toBe(400)
})

test('[API38] health asks the database, status tells maintenance, version and fleet', async () => {
  const { call, record, agents } = openApp()
  expect(await (await call('GET', '/api/health')).json()).toEqual({ status: 'healthy', faults: [] })
  const agent = {
    agent_id: 'a',
    session: 's',
    host: 'h',
    version: '1',
    capabilities: [],
    slots: 4,
    free_slots: 1,
    running: 3,
    draining: false,
  }
  agents.push({ ...agent, connected_at: '2026-01-02T03:04:05.000Z' })
  const status = Status.parse(await (await call('GET', '/api/status')).json())
  expect(status).toEqual({
    maintenance_mode: false,
    message: '',
    until: null,
    version: '0.1.0',
    agents: 1,
    silent_agents: 0,
    free_slots: 1,
    local: false,
    demo: false,
  })
  record.away = true
  expect((await call('GET', '/api/health')).status).toBe(503)
})
