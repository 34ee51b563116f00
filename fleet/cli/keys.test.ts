import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FixtureApi, json, openFixtureApi, runBench } from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
})
afterEach(() => api[Symbol.asyncDispose]())

const bench = (args: string[], env: Record<string, string> = {}) => runBench(['keys', ...args], { BENCH_URL: api.url, ...env })
const key = {
  id: 'k-1',
  name: 'nightly',
  owner: 'Ada',
  scopes: ['runs:read'],
  expires_at: null,
  revoked_at: null,
  used_at: '2026-11-21T12:00:00.000Z',
}
const secret = `cbr_${'a'.repeat(36)}`

test('[CLI503] bench keys lists, makes and revokes keys; the key alone is on stdout', async () => {
  api.on('GET /api/keys', json({ keys: [key, { ...key, id: 'k-2', used_at: null, revoked_at: '2026-11-22T12:00:00.000Z' }] }))
  const listed = (await bench([])).out
  expect(listed[1]).toMatch(/^k-1 +nightly +Ada +runs:read +2026-11-21 +never +none$/)
  expect(listed[2]).toMatch(/never +revoked 2026-11-22 +none$/)
  api.on('POST /api/keys', json({ ...key, key: secret }, 201))
  const made = await bench(['create', 'nightly', '--scope', 'runs:read', '--owner', 'Ada', '--days', '30'])
  expect([made.code, made.out, made.err.join()]).toEqual([0, [secret], expect.stringContaining('shown this once')])
  const asked = api.asked.at(-1)!.body as { expires_at: string }
  expect(asked).toEqual({ name: 'nightly', scopes: ['runs:read'], owner: 'Ada', expires_at: expect.stringMatching(/^1970-01-31/) })
  api.on('DELETE /api/keys/k-1', json({ success: true, message: 'Key revoked' }))
  expect((await bench(['revoke', 'k-1'])).out[0]).toContain('is revoked')
})

test('[CLI503] bench keys sends the operator’s secret where there is one, and else the key of the caller', async () => {
  api.on('GET /api/keys', json({ keys: [] }))
  await bench([], { ADMIN_SECRET: 'of the operator', BENCH_API_KEY: secret })
  expect(api.asked.at(-1)!.headers).toMatchObject({ 'x-admin-secret': 'of the operator' })
  expect(api.asked.at(-1)!.headers).not.toHaveProperty('authorization')
  expect((await bench([], { BENCH_API_KEY: secret })).out[0]).toContain('bench keys create NAME')
  expect(api.asked.at(-1)!.headers.authorization).toBe(`Bearer ${secret}`)
  for (const args of [['create'], ['revoke'], ['list', 'x'], ['create', 'x', '--scope', 'all'], ['create', 'x', '--days', '0']])
    expect([args, (await bench(args)).code]).toEqual([args, 2])
})

const period = { limit_usd: 1, spent_usd: 0.2, reserved_usd: 0, ends_at: '2026-11-22T00:00:00.000Z' }
const budget = { kind: 'key', id: 'k-1', name: 'nightly', set_by: 'operator', day: period, month: { ...period, limit_usd: null } }

test('[BUDGET8] bench keys makes a key with a budget, sets those of keys and people, and lists how far they are used', async () => {
  api.on('GET /api/keys', json({ keys: [{ ...key, budget }] }))
  expect((await bench([])).out[1]).toMatch(/never +\$0\.2000 of \$1\.00 today$/)
  api.on('POST /api/keys', json({ ...key, key: secret }, 201))
  await bench(['create', 'ci', '--budget-day', '1', '--budget-month', 'none'])
  expect(api.asked.at(-1)!.body).toMatchObject({ budget: { day_usd: 1, month_usd: null } })
  api.on('PUT /api/budgets/key/k-1', json(budget))
  const set = await bench(['budget', 'k-1', '--budget-day', '1'])
  expect([set.code, set.out, api.asked.at(-1)!.body]).toEqual([0, ['nightly: $0.2000 of $1.00 today'], { day_usd: 1 }])
  api.on('PUT /api/budgets/person/Ada', json({ ...budget, kind: 'person', day: { ...period, limit_usd: null } }))
  expect((await bench(['budget', '--owner', 'Ada', '--budget-month', 'none'])).out).toEqual(['nightly: no limit'])
  for (const args of [[], ['k-1'], ['k-1', '--budget-day', 'x'], ['k-1', '--owner', 'Ada', '--budget-day', '1'], ['--budget-day', '1']])
    expect([args, (await bench(['budget', ...args])).code]).toEqual([args, 2])
})
