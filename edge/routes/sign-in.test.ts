import { expect, test } from 'vitest'
import type { Card } from '#shared/contract/card.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import { createChutesIdp } from '../adapters/chutes-idp.ts'
import { createFakeIdp, type FakeIdpOptions } from '../local/fake-idp.ts'
import { bearer, openApp } from '../testing/call-app.ts'
import { exampleCard, exampleCards, exampleModel } from '../testing/example-records.ts'

const home = 'https://bench.example'
const idpUrl = 'https://idp.example'
const sign_in = { client_id: 'cid_test', client_secret: 'csc_test', idp_url: idpUrl, frontend_url: '' }
const callback = `${home}/api/auth/callback`

type Options = Partial<FakeIdpOptions> & { frontend_url?: string; cards?: readonly Card[] }

/** The app with people who sign in at a fake provider, and a browser that keeps cookies. */
function open({ frontend_url = '', cards, ...options }: Options = {}) {
  const clock = { now: Date.parse('2026-01-02T03:04:05.000Z') }
  const idp = createFakeIdp({
    ...sign_in,
    redirect_uris: [callback, 'https://ui.example/api/auth/callback'],
    now: () => clock.now,
    ...options,
  })
  const app = openApp({ ...(cards && { cards }), config: { sign_in: { ...sign_in, frontend_url } } })
  app.deps.now = () => new Date(clock.now)
  const away = { is: false }
  app.deps.idp = createChutesIdp(
    sign_in,
    async (url, init) => (away.is ? Promise.reject(new TypeError('no route')) : idp.answer(new Request(url, init))),
    () => clock.now,
  )
  app.record.models.set(exampleModel().id, exampleModel())
  return { ...app, idp, clock, away, browser: () => browserOf(app, idp) }
}

function browserOf(app: ReturnType<typeof openApp>, idp: ReturnType<typeof createFakeIdp>) {
  const jar = new Map<string, string>()
  const keep = (response: Response): Response => {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (line.includes('Max-Age=0')) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }
  const call = async (method: string, path: string, given: { body?: unknown; headers?: Record<string, string> } = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return keep(await app.call(method, path, { ...given, headers: { ...(cookie && { cookie }), ...given.headers } }))
  }
  /** To the provider and back to the callback's address; `change` fills its form in. */
  const begin = async (return_to = '/runs', change: (form: URLSearchParams) => void = () => undefined) => {
    const login = await call('GET', `/api/auth/login?return_to=${encodeURIComponent(return_to)}`)
    expect(login.status).toBe(302)
    const url = new URL(login.headers.get('location')!)
    const form = new URLSearchParams([...url.searchParams, ['person', 'a1b2c3']])
    change(form)
    const there = await idp.answer(new Request(`${url.origin}${url.pathname}`, { method: 'POST', body: form }))
    return new URL(there.headers.get('location')!)
  }
  const finish = (back: URL, accept = 'text/html') => call('GET', `${back.pathname}${back.search}`, { headers: { accept } })
  const signIn = async (...given: Parameters<typeof begin>) => finish(await begin(...given))
  const status = async () => (await call('GET', '/api/auth/status')).json()
  return { jar, call, begin, finish, signIn, status }
}

const ada = { id: 'a1b2c3', username: 'ada' }
const run = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] }

test('[SIGN4] a browser signs in, is somebody, and signs out; its tokens are revoked and nothing of them was ever in its hands', async () => {
  const { browser, idp, deps } = open()
  const { signIn, status, call, jar } = browser()
  expect(await status()).toEqual({ idp_configured: true, authenticated: false, user: null, has_invoke_scope: false, pays: null })
  expect((await call('GET', '/api/auth/me')).status).toBe(401)
  const back = await signIn('/runs?mine=1')
  expect([back.status, back.headers.get('location')]).toEqual([303, '/runs?mine=1'])
  expect(back.headers.getSetCookie()[0]).toMatch(
    /^chutes_bench_runner_session=[0-9a-f]{64}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect(await status()).toEqual({ idp_configured: true, authenticated: true, user: ada, has_invoke_scope: true, pays: 'owner' })
  expect(await (await call('GET', '/api/auth/me')).json()).toMatchObject({ authenticated: true, user: ada, has_valid_token: true })
  const { sessions } = (await (await call('GET', '/api/auth/sessions')).json()) as { sessions: { id: string; current: boolean }[] }
  expect(sessions).toMatchObject([{ current: true }])
  const token = await deps.sessions.token(sessions[0]!.id)
  expect(token.is === 'token' && idp.holder(token.access_token)).toMatchObject({ username: 'ada' })
  const out = await call('POST', '/api/auth/logout', { headers: { 'sec-fetch-site': 'same-origin' } })
  expect([out.status, await out.json(), jar.size]).toEqual([200, { success: true, message: 'Logged out successfully' }, 0])
  expect(token.is === 'token' && idp.holder(token.access_token)).toBeNull()
  expect(await deps.sessions.token(sessions[0]!.id)).toEqual({ is: 'gone' })
  expect((await call('POST', '/api/auth/logout')).status).toBe(200)
})

test('[SIGN4] a cookie of an ended or unknown session is nobody’s; another site cannot sign anybody out', async () => {
  const { browser, clock } = open()
  const { signIn, status, call, jar } = browser()
  await signIn()
  expect((await call('POST', '/api/auth/logout', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  const secret = jar.get('chutes_bench_runner_session')!
  await call('POST', '/api/auth/logout')
  jar.set('chutes_bench_runner_session', secret)
  expect(await status()).toMatchObject({ authenticated: false })
  await signIn()
  clock.now += 30 * 86_400_000
  expect(await status()).toMatchObject({ authenticated: false })
})

test('[SIGN5] only the browser that began a sign-in ends it, within ten minutes and once', async () => {
  const { browser, clock } = open()
  const [victim, attacker] = [browser(), browser()]
  const foreign = await attacker.begin()
  expect(await (await victim.finish(foreign)).headers.get('location')).toBe('/settings?sign_in=state')
  await victim.begin()
  expect((await victim.finish(foreign, 'application/json')).status).toBe(400)
  expect(await victim.status()).toMatchObject({ authenticated: false })
  const late = await victim.begin()
  clock.now += 601_000
  expect((await victim.finish(late)).headers.get('location')).toBe('/settings?sign_in=state')
  const once = await victim.begin()
  const kept = new Map(victim.jar)
  expect((await victim.finish(once)).headers.get('location')).toBe('/runs')
  for (const [name, value] of kept) victim.jar.set(name, value)
  expect((await victim.finish(once)).headers.get('location')).toBe('/settings?sign_in=code')
})

test('[SIGN5] what goes wrong at the provider is told by its cause: denied, wrong verifier, expired code, no profile, silence, a client it does not know', async () => {
  const { browser, clock, away, deps } = open({ code_s: 60 })
  const { begin, finish, jar } = browser()
  const why = async (back: URL) => (await finish(back)).headers.get('location')
  expect(await why(await begin('/', (form) => form.set('deny', '1')))).toBe('/settings?sign_in=denied')
  const other = await begin('/', (form) => form.set('code_challenge', 'x'.repeat(43)))
  expect(await why(other)).toBe('/settings?sign_in=code')
  const late = await begin()
  clock.now += 61_000
  expect(await why(late)).toBe('/settings?sign_in=code')
  const bare = (form: URLSearchParams) => {
    for (const scope of ['openid', 'profile', 'account:read']) form.set(`without:${scope}`, 'on')
  }
  expect(await why(await begin('/', bare))).toBe('/settings?sign_in=profile')
  const silent = await begin()
  away.is = true
  expect(await why(silent)).toBe('/settings?sign_in=away')
  expect((await finish(silent, 'application/json')).status).toBe(503)
  away.is = false
  const known = deps.idp!
  deps.idp = { ...known, exchange: async () => ({ is: 'refused', code: 'invalid_client' }) }
  expect(await why(await begin())).toBe('/settings?sign_in=client')
  expect([...jar.keys()]).toEqual(['chutes_bench_runner_sign_in'])
})

test('[SIGN6] a new sign-in gives the browser a new secret; runs of the same person go on with it, those of another do not', async () => {
  const { browser, deps, record } = open()
  const { signIn, jar } = browser()
  await signIn()
  const [first] = record.sessions.values()
  const secret = jar.get('chutes_bench_runner_session')
  await signIn()
  expect(jar.get('chutes_bench_runner_session')).not.toBe(secret)
  expect(record.sessions.get(first!.id)!.ended_at).not.toBeNull()
  expect(await deps.sessions.token(first!.id)).toMatchObject({ is: 'token' })
  const [, second] = record.sessions.values()
  await signIn('/', (form) => form.set('person', 'd4e5f6'))
  expect(await deps.sessions.token(second!.id)).toEqual({ is: 'gone' })
})

test('[SIGN6] a person sees and ends his own sessions, and no others', async () => {
  const { browser } = open()
  const [ada, grace] = [browser(), browser()]
  await ada.signIn()
  await grace.signIn('/', (form) => form.set('person', 'd4e5f6'))
  type List = { sessions: { id: string }[] }
  const [mine] = ((await (await ada.call('GET', '/api/auth/sessions')).json()) as List).sessions
  const [hers] = ((await (await grace.call('GET', '/api/auth/sessions')).json()) as List).sessions
  expect((await ada.call('DELETE', `/api/auth/sessions/${hers!.id}`)).status).toBe(404)
  expect(await grace.status()).toMatchObject({ authenticated: true })
  expect((await ada.call('DELETE', `/api/auth/sessions/${mine!.id}`)).status).toBe(200)
  expect(await ada.status()).toMatchObject({ authenticated: false })
})

test('[SIGN7] the account of whoever signed in pays for his run, by its session; without leave to call models he is told before anything is asked', async () => {
  const { browser, record, deps } = open()
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
  const { browser, deps } = open({ cards: [...exampleCards, essay] })
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
  const { browser, record, call: bare } = open()
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
  // A key makes no keys and ends nobody's session.
  expect((await bare('POST', '/api/keys', { body: { name: 'x' }, ...asKey })).status).toBe(403)
  await bare('POST', '/api/auth/logout', asKey)
  expect(await ada.status()).toMatchObject({ authenticated: true })
  expect(await (await grace.call('GET', '/api/keys')).json()).toEqual({ keys: [] })
  expect((await grace.call('DELETE', `/api/keys/${made.id}`)).status).toBe(404)
  await ada.call('POST', '/api/auth/logout')
  expect((await bare('POST', '/api/runs', { body: run, ...asKey })).status).toBe(403)
  await ada.signIn()
  expect((await ada.call('DELETE', `/api/keys/${made.id}`)).status).toBe(200)
  expect((await bare('GET', '/api/runs', asKey)).status).toBe(401)
})

test('[SIGN9] a front end elsewhere ends the sign-in from its own server and sends the session as the predecessor’s did', async () => {
  const { browser, call } = open({ frontend_url: 'https://ui.example' })
  const back = await browser().begin('/history')
  expect(back.origin).toBe('https://ui.example')
  const ended = await call('GET', `/api/auth/callback${back.search}`, { headers: { accept: 'application/json' } })
  const told = (await ended.json()) as { session_id: string }
  expect(told).toEqual({
    success: true,
    session_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    user: ada,
    has_invoke_scope: true,
    return_to: '/history',
  })
  const status = await call('GET', '/api/auth/status', { headers: { cookie: `bench_session=${told.session_id}` } })
  expect(await status.json()).toMatchObject({ authenticated: true, user: ada })
  expect((await call('GET', `/api/auth/callback${back.search}`, { headers: { accept: 'application/json' } })).status).toBe(400)
  expect((await call('GET', '/api/auth/callback?code=x&state=y')).status).toBe(400)
})

test('[SIGN9] whoever begins at another address of the service is sent to the one that the operator set, where he comes back to', async () => {
  const { call } = open()
  const sent = await call('GET', '/api/auth/login?return_to=/runs', { host: 'https://bench.workers.example' })
  expect([sent.status, sent.headers.get('location')]).toEqual([302, `${home}/api/auth/login?return_to=%2Fruns`])
  expect(sent.headers.getSetCookie()).toEqual([])
})

test('[SIGN9] without a client id nobody signs in, and the refusal says what else there is', async () => {
  const { call } = openApp()
  const refused = await call('GET', '/api/auth/login')
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    501,
    expect.stringContaining('CHUTES_CLIENT_ID'),
  ])
  expect(await (await call('GET', '/api/auth/status')).json()).toEqual({
    ...{ idp_configured: false, authenticated: false, user: null, has_invoke_scope: false, pays: null },
  })
})
