import { expect, test } from 'vitest'
import { openApp } from '../testing/call-app.ts'
import { home, openSignIn } from '../testing/sign-in-stage.ts'

const ada = { id: 'a1b2c3', username: 'ada' }

test('[SIGN4] a browser signs in, is somebody, and signs out; its tokens are revoked and nothing of them was ever in its hands', async () => {
  const { browser, idp, deps } = openSignIn()
  const { signIn, status, call, jar } = browser()
  expect(await status()).toEqual({
    ...{ idp_configured: true, authenticated: false, user: null, has_invoke_scope: false },
    ...{ keeps_settings: false, teams: [], pays: null },
  })
  expect((await call('GET', '/api/auth/me')).status).toBe(401)
  const back = await signIn('/runs?mine=1')
  expect([back.status, back.headers.get('location')]).toEqual([303, '/runs?mine=1'])
  expect(back.headers.getSetCookie()[0]).toMatch(
    /^chutes_bench_runner_session=[0-9a-f]{64}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect(await status()).toEqual({
    ...{ idp_configured: true, authenticated: true, user: ada, has_invoke_scope: true },
    ...{ keeps_settings: true, teams: [], pays: 'owner' },
  })
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
  const { browser, clock } = openSignIn()
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
  const { browser, clock } = openSignIn()
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
  const { browser, clock, away, deps } = openSignIn({ code_s: 60 })
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

test('[SIGN5] tokens of a sign-in that comes to nothing are revoked', async () => {
  const { browser, deps, record } = openSignIn()
  const { begin, finish } = browser()
  const revoked: string[] = []
  const known = deps.idp!
  deps.idp = { ...known, revoke: async (token) => void revoked.push(token), whoIs: async () => ({ is: 'away', why: 'busy' }) }
  await finish(await begin())
  deps.idp = { ...deps.idp, whoIs: known.whoIs }
  const back = await begin()
  record.away = true
  expect((await finish(back)).status).toBe(503)
  record.away = false
  expect([revoked.map((token) => token.slice(0, 4)), record.sessions.size]).toEqual([['crt_', 'crt_', 'cak_'], 0])
})

test('[SIGN6] a new sign-in gives the browser a new secret; runs of the same person go on with it, those of another do not', async () => {
  const { browser, deps, record } = openSignIn()
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
  const { browser } = openSignIn()
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

test('[SIGN9] a front end elsewhere ends the sign-in from its own server and sends the session as the predecessor’s did', async () => {
  const { browser, call } = openSignIn({ frontend_url: 'https://ui.example' })
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
  const { call } = openSignIn()
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
    ...{ idp_configured: false, authenticated: false, user: null, has_invoke_scope: false, keeps_settings: false, teams: [], pays: null },
  })
})
