import { expect, test } from 'vitest'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { newKey } from './key-format.ts'
import { anonymous, principalOf, requireAgent } from './principal.ts'

const ask = (headers: Record<string, string> = {}, url = 'https://bench.example/api/runs') =>
  new Request(url, { headers: { 'cf-connecting-ip': '127.0.0.1', ...headers } })

test('[AUTH3] nobody is anonymous, a wrong credential is 401 and never anonymous', async () => {
  const { deps, call } = openApp()
  expect(await principalOf(ask(), deps)).toEqual(anonymous)
  const wrong = [
    bearer(newKey()),
    bearer(`${newKey()}x`),
    bearer('cpk_short'),
    { authorization: 'Basic YTpi' },
    { 'x-admin-secret': 'wrong' },
  ]
  for (const headers of wrong) expect((await call('GET', '/api/runs', { headers })).status).toBe(401)
})

test('[AUTH3] an own key is found by its hash with its scopes, until it expires or is revoked', async () => {
  const app = openApp()
  const key = await giveKey(app, 'anna', ['runs:read'])
  const principal = {
    owner_id: 'anna',
    kind: 'key',
    scopes: ['runs:read'],
    credential: null,
    teams: [],
    key_id: [...app.record.keys.keys()][0],
  }
  expect(await principalOf(ask(bearer(key)), app.deps)).toEqual(principal)
  const row = [...app.record.keys.values()][0]!
  app.record.keys.set(row.id, { ...row, expires_at: '2026-01-02T03:04:04.000Z' })
  await expect(principalOf(ask(bearer(key)), app.deps)).rejects.toMatchObject({ code: 'unauthorized' })
  app.record.keys.set(row.id, { ...row, revoked_at: '2026-01-01T00:00:00.000Z' })
  await expect(principalOf(ask(bearer(key)), app.deps)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('[AUTH3] a mistyped own key is refused without asking the database', async () => {
  const { deps, record } = openApp()
  record.away = true
  const key = newKey()
  const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  await expect(principalOf(ask(bearer(mistyped)), deps)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('[AUTH4] a Chutes key owns what it starts under an id that does not contain it', async () => {
  const { deps } = openApp()
  const first = await principalOf(ask({ authorization: `bearer ${chutesKey}` }), deps)
  expect(first).toMatchObject({ kind: 'chutes-key', scopes: ['runs:read', 'runs:write'], credential: chutesKey })
  expect(first.owner_id).toMatch(/^chutes-[0-9a-f]{40}$/)
  expect((await principalOf(ask(bearer(chutesKey.replace('a', 'd'))), deps)).owner_id).not.toBe(first.owner_id)
})

test('[AUTH22] a token of Sign in with Chutes owns what its account started with another, pays for runs, and does not join the fleet', async () => {
  const { deps, answers } = openApp()
  const token = (letter: string): string => `cak_01234567-89ab-cdef-0123-456789abcdef.${letter.repeat(48)}`
  const first = await principalOf(ask(bearer(token('a'))), deps)
  expect(first).toMatchObject({ kind: 'chutes-key', scopes: ['runs:read', 'runs:write'], credential: token('a') })
  expect((await principalOf(ask(bearer(token('b'))), deps)).owner_id).toBe(first.owner_id)
  expect((await principalOf(ask(bearer(chutesKey)), deps)).owner_id).not.toBe(first.owner_id)
  answers.set(deps.config.access.chutes_key_url, () => Response.json({ detail: 'scope' }, { status: 403 }))
  await expect(principalOf(ask(bearer(token('c'))), deps)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('account:read'),
  })
  await expect(requireAgent(ask(bearer(token('a'))), deps)).rejects.toMatchObject({ code: 'forbidden' })
})

test('[AUTH5] in local mode the visitor of a loopback address from this machine is the owner; another name or another machine is not', async () => {
  const { deps } = openApp({ config: { local: true } })
  for (const host of ['localhost:8787', '127.0.0.1:8787', '[::1]:8787'])
    expect((await principalOf(ask({}, `http://${host}/api/runs`), deps)).kind).toBe('local')
  for (const host of ['rebound.example', '192.168.0.7', '127.0.0.1.example'])
    expect((await principalOf(ask({}, `http://${host}/api/runs`), deps)).kind).toBe('anonymous')
  for (const address of ['192.168.0.9', '10.0.0.1', '127.evil', ''])
    expect((await principalOf(ask({ 'cf-connecting-ip': address }, 'http://localhost:8787/api/runs'), deps)).kind).toBe('anonymous')
  expect((await principalOf(new Request('http://localhost:8787/api/runs'), deps)).kind).toBe('anonymous')
  expect((await principalOf(ask({}, 'http://localhost/api/runs'), openApp().deps)).kind).toBe('anonymous')
})

test('[AUTH6] the admin secret opens admin routes; without one configured they stay shut, except to the local owner', async () => {
  const withSecret = openApp()
  expect(await principalOf(ask(asAdmin), withSecret.deps)).toMatchObject({ kind: 'admin' })
  const maintenance = { body: { mode: false, message: '' } }
  const without = openApp({ config: { admin_secret: null } })
  expect((await without.call('POST', '/api/admin/maintenance', { ...maintenance, headers: asAdmin })).status).toBe(401)
  expect((await without.call('POST', '/api/admin/maintenance', { ...maintenance, headers: { 'x-admin-secret': '' } })).status).toBe(401)
  const local = openApp({ config: { admin_secret: null, local: true } })
  expect((await local.call('POST', '/api/admin/maintenance', { ...maintenance, host: 'http://localhost' })).status).toBe(200)
})

test('[AUTH7] another site cannot act through the visitor’s browser', async () => {
  const { call } = openApp({ config: { local: true, public_url: 'http://localhost:8787' } })
  const send = async (headers: Record<string, string>) =>
    (await call('POST', '/api/admin/maintenance', { body: { mode: false, message: '' }, headers, host: 'http://localhost:8787' })).status
  expect(await send({ origin: 'https://evil.example' })).toBe(403)
  expect(await send({ origin: 'null' })).toBe(403)
  expect(await send({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8787' })).toBe(403)
  expect(await send({ 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await send({ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8787' })).toBe(200)
  expect(await send({})).toBe(200)
})

test('[AUTH8] agents join with the agent token or a key that may, and with nothing else', async () => {
  const app = openApp()
  const open = async (headers: Record<string, string>, path = '/api/fleet/socket') =>
    (await app.call('GET', path, { headers: { upgrade: 'websocket', ...headers } })).status
  const run = '/api/runs/11111111-1111-4111-8111-111111111111/socket'
  for (const path of ['/api/fleet/socket', run]) {
    expect(await open({}, path)).toBe(401)
    expect(await open(bearer('agent-token-2'), path)).toBe(401)
    expect(await open(bearer(chutesKey), path)).toBe(403)
    expect(await open(bearer(await giveKey(app, 'anna')), path)).toBe(403)
    expect(await open(bearer(await giveKey(app, 'anna', ['agents:join'])), path)).toBe(200)
    expect(await open(bearer('agent-token-1'), path)).toBe(200)
  }
  expect((await app.call('GET', run, { headers: bearer('agent-token-1') })).status).toBe(422)
  expect(await open(bearer('agent-token-1'), '/api/runs/17/socket')).toBe(404)
})

test('[AUTH8] the agent token opens no other route, and a key of an agent reads and starts nothing', async () => {
  const app = openApp()
  expect((await app.call('GET', '/api/runs', { headers: bearer('agent-token-1') })).status).toBe(401)
  const key = bearer(await giveKey(app, 'anna', ['agents:join']))
  expect((await app.call('GET', '/api/agents', { headers: key })).status).toBe(403)
  expect((await app.call('POST', '/api/runs', { headers: key, body: { model_id: 'x' } })).status).toBe(403)
})
