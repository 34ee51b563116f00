import { expect, test } from 'vitest'
import { chutesOwnerId } from '../auth/chutes-owner.ts'
import { newKey } from '../auth/key-format.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { networkOf } from './refuse-guessing.ts'
import { allowances } from './strikes.ts'

const { burst, every_ms } = allowances.guess
const guess = (index: number) => ({ 'x-admin-secret': `guess-${index}`, 'cf-connecting-ip': '198.51.100.7' })

/** An app whose clock the test moves. */
function openTimed(options: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(options)
  let now = Date.parse('2026-01-02T03:04:05.000Z')
  app.deps.now = () => new Date(now)
  return { ...app, pass: (ms: number) => (now += ms) }
}

test('[AUTH20] guessing the admin secret or a key is slowed: 429 with Retry-After and RateLimit fields, then nothing is looked at', async () => {
  const { call, pass } = openTimed()
  const ask = async (headers: Record<string, string>) => call('GET', '/api/health', { headers })
  for (let index = 0; index < burst; index++) expect((await ask(guess(index))).status).toBe(401)
  const refused = await ask(guess(99))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(every_ms / 1000)])
  expect(refused.headers.get('ratelimit-limit')).toBe(String(burst))
  expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  expect(Number(refused.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  // Even the right one is not looked at now, or guessing would not be slowed at all.
  expect((await ask({ ...guess(0), ...asAdmin })).status).toBe(429)
  for (const headers of [bearer('cbr_x'), bearer(chutesKey), { authorization: 'Basic eA==' }])
    expect((await ask({ ...headers, 'cf-connecting-ip': '198.51.100.7' })).status).toBe(429)
  pass(every_ms)
  expect((await ask({ ...guess(0), ...asAdmin })).status).toBe(200)
  expect((await ask(guess(100))).status).toBe(401)
})

test('[AUTH431] own keys and Chutes keys that hold pass while wrong ones of the same address are slowed, used before or not', async () => {
  const app = openTimed()
  const fresh = bearer(await giveKey(app, 'anna'))
  const revoked = await giveKey(app, 'anna')
  const revokedId = [...app.record.keys.keys()].at(-1)!
  app.record.keys.set(revokedId, { ...app.record.keys.get(revokedId)!, revoked_at: '2026-01-01T00:00:00.000Z' })
  const known = { id: await chutesOwnerId(chutesKey), name: 'x', kind: 'chutes' } as const
  await app.deps.store.ensureOwner(known)
  const from = { 'cf-connecting-ip': '198.51.100.7' }
  const ask = async (headers: Record<string, string>) => (await app.call('GET', '/api/runs', { headers: { ...headers, ...from } })).status
  for (let index = 0; index <= burst; index++) await ask(guess(index))
  expect(await ask(fresh)).toBe(200)
  expect(await ask(bearer(chutesKey))).toBe(200)
  for (const wrong of [bearer(newKey()), bearer(revoked), bearer(chutesKey.replace('a', 'd')), asAdmin, bearer('agent-token-1')])
    expect([wrong, await ask(wrong)]).toEqual([wrong, 429])
  // Many right keys behind one address are never counted against each other.
  for (let index = 0; index < 3 * burst; index++) expect(await ask(fresh)).toBe(200)
})

test('[AUTH20] agents’ sockets are guarded like every route', async () => {
  const { call } = openTimed()
  const statuses = []
  for (let index = 0; index < burst + 1; index++)
    statuses.push((await call('GET', '/api/fleet/socket', { headers: { upgrade: 'websocket', ...bearer(`token-${index}`) } })).status)
  expect(statuses).toEqual([...Array.from({ length: burst }, () => 401), 429])
})

test('[AUTH20] neither visitors without a credential, nor other addresses, nor who has just shown a good key, nor the owner here are held up', async () => {
  const app = openTimed({ config: { local: true } })
  const key = bearer(await giveKey(app, 'anna'))
  const from = { 'cf-connecting-ip': '198.51.100.7' }
  expect((await app.call('GET', '/api/runs', { headers: { ...key, ...from } })).status).toBe(200)
  for (let index = 0; index <= burst; index++) await app.call('GET', '/api/health', { headers: guess(index) })
  expect((await app.call('GET', '/api/health', { headers: guess(1) })).status).toBe(429)
  expect((await app.call('GET', '/api/runs', { headers: { ...key, ...from } })).status).toBe(200)
  expect((await app.call('GET', '/api/runs', { headers: from })).status).toBe(200)
  expect((await app.call('GET', '/api/runs', { headers: { ...asAdmin, 'cf-connecting-ip': '198.51.100.8' } })).status).toBe(200)
  const here = 'http://localhost:8787'
  for (let index = 0; index < 3 * burst; index++)
    expect((await app.call('GET', '/api/health', { headers: { 'x-admin-secret': `guess-${index}` }, host: here })).status).toBe(401)
  expect((await app.call('GET', '/api/keys', { host: here })).status).toBe(200)
})

test('[AUTH20] a network is an IPv4 address or a /64', () => {
  expect(networkOf('198.51.100.7')).toBe('198.51.100.7')
  const same = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::', '2001:db8:1:2:3:4:5:6'].map(networkOf)
  expect(new Set(same)).toEqual(new Set(['2001:db8:1:2::/64']))
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('2001:db8:1:3::1')).not.toBe(same[0])
})

test('[API113] an owner starts runs at a bounded pace; the operator is not bounded', async () => {
  const app = openTimed({ config: { access: { ...openApp().deps.config.access, most_open_runs_per_owner: 1000 } } })
  app.record.models.set(exampleModel().id, exampleModel())
  const body = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] }
  const start = async (headers: Record<string, string>) => (await app.call('POST', '/api/runs', { headers, body })).status
  const key = bearer(await giveKey(app, 'anna'))
  const statuses = []
  for (let index = 0; index < allowances.create.burst + 1; index++) statuses.push(await start(key))
  expect(statuses.filter((status) => status === 201).length).toBe(allowances.create.burst - 1)
  expect(statuses.at(-1)).toBe(429)
  expect(await start(bearer(await giveKey(app, 'bert')))).toBe(201)
  for (let index = 0; index < allowances.create.burst + 1; index++) expect(await start(asAdmin)).toBe(201)
  app.pass(allowances.create.every_ms * 2)
  expect(await start(key)).toBe(201)
})
