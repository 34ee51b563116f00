import { expect, test } from 'vitest'
import { namedModel } from '#shared/providers/listed-model.ts'
import { bearer } from '../testing/call-app.ts'
import { exampleCard, exampleCards, exampleModel } from '../testing/example-records.ts'
import { openSignIn } from '../testing/sign-in-stage.ts'

const run = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] }

test('[SIGN7] the account of whoever signed in pays for his run, by its session; without leave to call models he is told before anything is asked', async () => {
  const { browser, record, deps } = openSignIn()
  const { signIn, call } = browser()
  await signIn()
  const started = await call('POST', '/api/runs', { body: run, headers: { 'sec-fetch-site': 'same-origin' } })
  const { id } = (await started.json()) as { id: string }
  expect(started.status).toBe(201)
  const { spec } = record.runs.get(id)!
  const [session] = record.sessions.values()
  expect(spec).toMatchObject({ own_credential: true, owner_id: session!.owner_id, visibility: 'private' })
  expect(await deps.seal.open(record.credentials.get(id)!, `credential|${spec.owner_id}|${id}`)).toBe(`session ${session!.id}`)
  const without = browser()
  await without.signIn('/', (form) => form.set('without:chutes:invoke', 'on'))
  expect(await without.status()).toMatchObject({ has_invoke_scope: false, pays: null })
  const refused = await without.call('POST', '/api/runs', { body: run })
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([403, expect.stringContaining('chutes:invoke')])
})

test('[SIGN7] whoever signed in does not spend the operator’s money: not by a model, not by a judge', async () => {
  const params = { temperature: 0, top_p: null, max_tokens: 100, stop: null, seed: null, reasoning_effort: null }
  const judge = { model: 'paid/one', provider: null, params, schema: true, estimate: { input_tokens: 1000, output_tokens: 50 } }
  const official = { id: 'official', title: '', texts: [], files: [], tables: [], params, epochs: 1 }
  const essay = exampleCard({ name: 'essay', evidence: 'judged', profiles: [{ ...official, roles: { judge } }] })
  const paid = {
    id: 'openai',
    label: 'OpenAI',
    kind: 'openai' as const,
    base_url: 'https://api.example/v1',
    models: [namedModel('paid/one')],
  }
  const { browser, deps } = openSignIn({ cards: [...exampleCards, essay] })
  deps.config.providers = [...deps.config.providers, paid]
  const { signIn, call } = browser()
  await signIn()
  const refused = async (body: object) => {
    const answer = await call('POST', '/api/runs', { body: { ...run, ...body } })
    return [answer.status, ((await answer.json()) as { detail: string }).detail]
  }
  expect(await refused({ model_id: 'paid/one' })).toEqual([403, expect.stringContaining('served by openai')])
  const byDemo = { model_id: 'demo/coin', selected_benchmarks: ['essay'] }
  expect(await refused({ ...byDemo, judge: { model_id: 'paid/one' } })).toEqual([403, expect.stringContaining('judge of essay')])
  expect(await refused({ selected_benchmarks: ['essay'] })).toEqual([422, expect.stringContaining('pays on chutes only')])
  expect((await call('POST', '/api/runs', { body: { ...run, model_id: 'demo/coin' } })).status).toBe(201)
})

test('[SIGN8] whoever signed in makes keys that spend his account and may do no more than he, and sees and revokes no others', async () => {
  const { browser, record, call: bare } = openSignIn()
  const [ada, grace] = [browser(), browser()]
  await ada.signIn()
  await grace.signIn('/', (form) => form.set('person', 'd4e5f6'))
  const make = (who: typeof ada, body: object) => who.call('POST', '/api/keys', { body: { name: 'ci', ...body } })
  for (const body of [{ scopes: ['admin'] }, { scopes: ['runs:read', 'agents:join'] }, { owner: 'grace' }])
    expect([body, (await make(ada, body)).status]).toEqual([body, 403])
  const made = (await (await make(ada, {})).json()) as { id: string; key: string; owner: string }
  expect(made).toMatchObject({ owner: 'ada', scopes: ['runs:read', 'runs:write'], used_at: null })
  const asKey = { headers: bearer(made.key) }
  const started = await bare('POST', '/api/runs', { body: run, ...asKey })
  expect(started.status).toBe(201)
  const { id } = (await started.json()) as { id: string }
  const [session] = record.sessions.values()
  expect(record.runs.get(id)!.spec).toMatchObject({ own_credential: true, owner_id: session!.owner_id })
  // A key can neither make a key nor end a session.
  expect((await bare('POST', '/api/keys', { body: { name: 'x' }, ...asKey })).status).toBe(403)
  await bare('POST', '/api/auth/logout', asKey)
  expect((await bare('DELETE', `/api/auth/sessions/${session!.id}`, asKey)).status).toBe(403)
  expect(await ada.status()).toMatchObject({ authenticated: true })
  expect(await (await grace.call('GET', '/api/keys')).json()).toEqual({ keys: [] })
  expect((await grace.call('DELETE', `/api/keys/${made.id}`)).status).toBe(404)
  await ada.call('POST', '/api/auth/logout')
  expect((await bare('POST', '/api/runs', { body: run, ...asKey })).status).toBe(403)
  await ada.signIn()
  expect((await ada.call('DELETE', `/api/keys/${made.id}`)).status).toBe(200)
  expect((await bare('GET', '/api/runs', asKey)).status).toBe(401)
})

test('[BUDGET11] without the scope chutes:invoke the operator pays where a variable says so, up to its amount a day for each person', async () => {
  const { browser, record, deps } = openSignIn()
  deps.config.operator_pays_usd = 0.5
  const price = { input_per_million_usd: 0, output_per_million_usd: 10, cached_input_per_million_usd: null }
  record.models.set(exampleModel().id, { ...exampleModel(), price })
  const without = (form: URLSearchParams) => form.set('without:chutes:invoke', 'on')
  const [ada, grace] = [browser(), browser()]
  await ada.signIn('/', without)
  await grace.signIn('/', (form) => {
    form.set('person', 'd4e5f6')
    without(form)
  })
  expect(await ada.status()).toMatchObject({ has_invoke_scope: false, pays: 'operator' })
  const start = async (who: typeof ada, body: object = {}) => {
    const answer = await who.call('POST', '/api/runs', { body: { ...run, ...body } })
    return { status: answer.status, body: (await answer.json()) as { id: string; detail: string } }
  }
  const first = await start(ada)
  const { spec } = record.runs.get(first.body.id)!
  expect(spec).toMatchObject({ own_credential: false, budgets: [`person:${spec.owner_id}`, `operator:${spec.owner_id}`] })
  const standing = { run_id: spec.run_id, turn: 1, spent_usd: 0.5, lost_usd: 0, bound_usd: 0.5, need_usd: 0.5, want_usd: 0.5 }
  await deps.budgets.take(`operator:${spec.owner_id}`, standing)
  expect(await start(ada)).toMatchObject({
    status: 402,
    body: { detail: 'What the operator of this service pays for you for today is used up until 2026-01-03 at 00:00 UTC.' },
  })
  expect((await start(ada, { model_id: 'demo/coin' })).status).toBe(201)
  expect((await start(grace)).status).toBe(201)
  const { budgets } = (await (await ada.call('GET', '/api/budgets')).json()) as { budgets: { kind: string; day: object }[] }
  expect(budgets[1]).toMatchObject({ kind: 'operator', day: { limit_usd: 0.5, spent_usd: 0.5 } })
  // Whoever allows this service to call models pays for all of it.
  const pays = browser()
  await pays.signIn()
  const own = await start(pays)
  expect(record.runs.get(own.body.id)!.spec).toMatchObject({ own_credential: true, budgets: [expect.stringMatching(/^person:/)] })
  deps.config.operator_pays_usd = null
  expect((await start(grace)).status).toBe(403)
})
