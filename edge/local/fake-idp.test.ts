import { expect, test } from 'vitest'
import { challengeOf, newVerifier } from '../sign-in/flow.ts'
import { createFakeIdp } from './fake-idp.ts'

const client = { client_id: 'cid_test', client_secret: 'csc_test' }
const origin = 'https://idp.example'
const redirect_uri = 'http://127.0.0.1:8787/api/auth/callback'

const open = (options: Partial<Parameters<typeof createFakeIdp>[0]> = {}) => {
  const idp = createFakeIdp({ ...client, ...options })
  const get = (path: string, token?: string) =>
    idp.answer(new Request(`${origin}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} }))
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    idp.answer(new Request(`${origin}${path}`, { method: 'POST', body: new URLSearchParams(form), headers }))
  return { idp, get, post }
}
type Asked = Record<string, string>
const asking = async (verifier: string, change: Asked = {}): Promise<Asked> => ({
  ...{ response_type: 'code', client_id: client.client_id, redirect_uri, scope: 'openid profile chutes:invoke', state: 'of the browser' },
  ...{ code_challenge: await challengeOf(verifier), code_challenge_method: 'S256', ...change },
})

test('[SIGN13] the page asks who it is and what is allowed, and repeats nothing as markup', async () => {
  const { get } = open({ people: [{ sub: 's', username: '<b>ada' }] })
  const { verifier } = await newVerifier()
  const page = await get(`/idp/authorize?${new URLSearchParams(await asking(verifier, { state: '"><script>' }))}`)
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('without:chutes:invoke')])
  expect(html).not.toMatch(/<b>|<script>/)
})

test('[SIGN13] an unknown client or address is a page and no redirect; any other fault goes back with its code and the state', async () => {
  const { get, post } = open()
  const { verifier } = await newVerifier()
  const ask = async (change: Asked) => get(`/idp/authorize?${new URLSearchParams(await asking(verifier, change))}`)
  for (const redirect_uri of ['https://evil.example/', 'http://localhost.evil.example/'])
    expect((await ask({ redirect_uri })).status).toBe(400)
  expect((await ask({ client_id: 'cid_other' })).status).toBe(400)
  const back = async (change: Asked) => new URL((await ask(change)).headers.get('location')!).searchParams
  expect(Object.fromEntries(await back({ scope: 'openid everything' }))).toEqual({ error: 'invalid_scope', state: 'of the browser' })
  expect((await back({ code_challenge_method: 'plain' })).get('error')).toBe('invalid_request')
  const denied = await post('/idp/authorize', { ...(await asking(verifier)), person: 'a1b2c3', deny: '1' })
  expect(denied.headers.get('location')).toContain('error=access_denied')
})

test('[SIGN13] tokens tell what they are good for to the client alone, and end when the person takes back what he allowed', async () => {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const { idp, get, post } = open({ now: () => clock.now, access_s: 100 })
  const { verifier } = await newVerifier()
  const allowed = await post('/idp/authorize', { ...(await asking(verifier)), person: 'a1b2c3' })
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!
  const basic = { authorization: `Basic ${btoa('cid_test:csc_test')}` }
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const tokens = (await (await post('/idp/token', form, basic)).json()) as { access_token: string; refresh_token: string }
  const introspect = async (secret = client.client_secret) =>
    (await post('/idp/token/introspect', { token: tokens.access_token, ...client, client_secret: secret })).json()
  expect(await introspect()).toMatchObject({ active: true, username: 'ada', scope: 'openid profile chutes:invoke' })
  expect(await introspect('wrong')).toEqual({ error: 'invalid_client' })
  expect((await get('/users/me', tokens.access_token)).status).toBe(403) // account:read was not asked for
  expect((await get('/idp/userinfo', tokens.access_token)).status).toBe(200)
  clock.now += 100_000
  expect(await introspect()).toEqual({ active: false })
  expect((await get('/idp/userinfo', tokens.access_token)).status).toBe(401)
  idp.revoke('a1b2c3')
  const refused = await post('/idp/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...client })
  expect(await refused.json()).toEqual({ error: 'invalid_grant' })
  expect(await (await post('/idp/token', { grant_type: 'password' })).json()).toEqual({ error: 'unsupported_grant_type' })
  expect((await get('/elsewhere')).status).toBe(404)
})

test('[SIGN13] where a clock is ahead tokens end before what was said of them', async () => {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const { get, post } = open({ now: () => clock.now, access_s: 100, skew_s: 60 })
  const { verifier } = await newVerifier()
  const allowed = await post('/idp/authorize', { ...(await asking(verifier)), person: 'a1b2c3' })
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, ...client }
  const tokens = (await (await post('/idp/token', form)).json()) as { access_token: string; expires_in: number }
  expect(tokens.expires_in).toBe(100)
  clock.now += 39_000
  expect((await get('/idp/userinfo', tokens.access_token)).status).toBe(200)
  clock.now += 1000
  expect((await get('/idp/userinfo', tokens.access_token)).status).toBe(401)
})
