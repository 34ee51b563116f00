import { expect, test } from 'vitest'
import * as z from 'zod'
import { AgentList } from '#shared/contract/api.ts'
import { isKey } from '../auth/key-format.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

const Created = z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()), key: z.string() })

test('[AUTH9] a key is shown once, stored as a hash, works at once, and is dead when it is revoked', async () => {
  const { call, record } = openApp()
  const response = await call('POST', '/api/keys', {
    headers: asAdmin,
    body: { name: ' ci ', scopes: ['runs:write', 'runs:read', 'runs:read'] },
  })
  expect(response.status).toBe(201)
  const { id, key, name, scopes } = Created.parse(await response.json())
  expect([isKey(key), name, scopes]).toEqual([true, 'ci', ['runs:write', 'runs:read']])
  expect(JSON.stringify([...record.keys.values()])).not.toContain(key)
  expect(record.keys.get(id)!.sha256).toMatch(/^[0-9a-f]{64}$/)
  const list = await (await call('GET', '/api/keys', { headers: asAdmin })).text()
  expect(list).toContain(id)
  expect(list).not.toMatch(/cbr_|sha256/)
  expect((await call('GET', '/api/agents', { headers: bearer(key) })).status).toBe(200)
  expect((await call('DELETE', `/api/keys/${id}`, { headers: asAdmin })).status).toBe(200)
  expect((await call('GET', '/api/agents', { headers: bearer(key) })).status).toBe(401)
  expect((await call('DELETE', `/api/keys/${id}`, { headers: asAdmin })).status).toBe(200)
  expect((await call('DELETE', '/api/keys/none', { headers: asAdmin })).status).toBe(404)
})

test('[AUTH9] only the operator makes keys: a Chutes key or a plain key would spend what is his', async () => {
  const app = openApp()
  const body = { name: 'mine' }
  const plain = bearer(await giveKey(app, 'anna'))
  for (const [headers, status] of [
    [{}, 401],
    [plain, 403],
    [bearer(chutesKey), 403],
  ] as const)
    for (const [method, path] of [
      ['POST', '/api/keys'],
      ['GET', '/api/keys'],
      ['DELETE', '/api/keys/k'],
    ] as const) {
      const given = method === 'POST' ? { headers, body } : { headers }
      expect([method, (await app.call(method, path, given)).status]).toEqual([method, status])
    }
  const admin = bearer(await giveKey(app, 'root', ['admin']))
  expect((await app.call('POST', '/api/keys', { headers: admin, body })).status).toBe(201)
})

test('[AUTH9] a key’s name, scopes and expiry are checked', async () => {
  const { call } = openApp()
  for (const body of [
    {},
    { name: '' },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['root'] },
    { name: 'x', expires_at: 'soon' },
    { name: 'x', owner_id: 'y' },
  ])
    expect([body, (await call('POST', '/api/keys', { headers: asAdmin, body })).status]).toEqual([body, 422])
})

test('[API39] agents are listed for people with a key: connected ones with their load, gone ones with their last sight', async () => {
  const app = openApp()
  expect((await app.call('GET', '/api/agents')).status).toBe(401)
  const agent = { host: 'h', version: '1', capabilities: ['llm'], slots: 8, free_slots: 2, running: 6, draining: false }
  const seen = { first_seen: '2026-01-01T00:00:00.000Z', last_seen: '2026-01-01T01:00:00.000Z' }
  app.agents.push({ ...agent, agent_id: 'a', session: 'session-1', connected_at: '2026-01-02T03:00:00.000Z' })
  for (const agent_id of ['a', 'b']) app.record.agents.set(agent_id, { ...agent, ...seen, agent_id, connected: true })
  const response = await app.call('GET', '/api/agents', { headers: asAdmin })
  expect(AgentList.parse(await response.json()).agents).toMatchObject([
    { agent_id: 'a', connected: true, session: 'session-1', running: 6, first_seen: seen.first_seen },
    { agent_id: 'b', connected: false, session: null, running: 0, last_seen: seen.last_seen },
  ])
})

test('[FLEET70] a connected agent that is not heard is listed as silent with its last sign of life, and is none that could work', async () => {
  const app = openApp()
  const agent = { host: 'h', version: '1', capabilities: ['llm'], slots: 8, free_slots: 8, running: 0, draining: false }
  const nowMs = app.deps.now().getTime()
  const joined = { ...agent, connected_at: '2026-01-02T03:00:00.000Z' }
  app.agents.push({ ...joined, agent_id: 'frozen', session: 'session-1', heard_ms: nowMs - 80_000 })
  app.agents.push({ ...joined, agent_id: 'well', session: 'session-2', heard_ms: nowMs - 9000, free_slots: 3 })
  const { agents } = AgentList.parse(await (await app.call('GET', '/api/agents', { headers: asAdmin })).json())
  expect(agents).toMatchObject([
    { agent_id: 'frozen', connected: true, silent: true, last_seen: new Date(nowMs - 80_000).toISOString() },
    { agent_id: 'well', connected: true, silent: false },
  ])
  expect(await (await app.call('GET', '/api/status')).json()).toMatchObject({ agents: 1, silent_agents: 1, free_slots: 3 })
})

test("[SEC3] machines and sessions are for the operator, and a private run is in nobody else's list of the fleet", async () => {
  const app = openApp()
  const agent = { host: 'machine-of-bob', version: '1', capabilities: ['llm'], slots: 8, free_slots: 2, running: 6, draining: false }
  app.agents.push({ ...agent, agent_id: 'a', session: 'session-1', connected_at: '2026-01-02T03:00:00.000Z' })
  const dealt = { agents: 1, slots: 8 }
  app.dealt.push(
    { ...dealt, run_id: 'open', owner_id: 'bob', visibility: 'public' },
    { ...dealt, run_id: 'linked', owner_id: 'bob', visibility: 'link' },
    { ...dealt, run_id: 'closed', owner_id: 'bob', visibility: 'private' },
  )
  const list = async (headers: Record<string, string>) => AgentList.parse(await (await app.call('GET', '/api/agents', { headers })).json())
  const runsOf = async (headers: Record<string, string>) => (await list(headers)).runs.map((run) => run.run_id)
  const [anna, bob] = [bearer(await giveKey(app, 'anna')), bearer(await giveKey(app, 'bob'))]
  expect(await runsOf(anna)).toEqual(['open'])
  expect(await runsOf(bob)).toEqual(['open', 'linked', 'closed'])
  expect(await runsOf(asAdmin)).toEqual(['open', 'linked', 'closed'])
  expect((await list(anna)).agents).toMatchObject([{ agent_id: 'a', session: null, host: null, running: 6 }])
  expect((await list(asAdmin)).agents).toMatchObject([{ session: 'session-1', host: 'machine-of-bob' }])
})

test('[FLEET98] the list of agents says how often each stood still, and nothing of those that do not say it', async () => {
  const app = openApp()
  const agent = { host: 'h', version: '1', capabilities: ['llm'], slots: 8, free_slots: 2, running: 6, draining: false }
  const at = { connected_at: '2026-01-02T03:00:00.000Z' }
  app.agents.push({ ...agent, ...at, agent_id: 'a', session: 's-a', blocks: { count: 2, longest_ms: 130 } })
  app.agents.push({ ...agent, ...at, agent_id: 'b', session: 's-b' })
  const { agents } = AgentList.parse(await (await app.call('GET', '/api/agents', { headers: asAdmin })).json())
  expect(agents.map(({ agent_id, blocks }) => [agent_id, blocks])).toEqual([
    ['a', { count: 2, longest_ms: 130 }],
    ['b', null],
  ])
})

test('[AUTH430] keys of one owner are one person; keys of different owners are strangers in reads, lists and the bound of open runs', async () => {
  const { access } = openApp().deps.config
  const app = openApp({ config: { access: { ...access, most_open_runs_per_owner: 1 } } })
  app.record.models.set(exampleModel().id, exampleModel())
  const make = async (owner?: string) => {
    const answer = await app.call('POST', '/api/keys', { headers: asAdmin, body: { name: 'k', ...(owner !== undefined && { owner }) } })
    return z.object({ key: z.string(), owner: z.string() }).parse(await answer.json())
  }
  const [anna, again, bert, bare] = [await make('Anna Ä.'), await make(' anna  A\u0308. '), await make('Bert'), await make()]
  expect([anna.owner, bert.owner, bare.owner]).toEqual(['Anna Ä.', 'Bert', 'admin'])
  const start = ({ key }: { key: string }) =>
    app.call('POST', '/api/runs', { headers: bearer(key), body: { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] } })
  const { id } = (await (await start(anna)).json()) as { id: string }
  const read = async ({ key }: { key: string }) => {
    const { total } = (await (await app.call('GET', '/api/runs', { headers: bearer(key) })).json()) as { total: number }
    return [(await app.call('GET', `/api/runs/${id}`, { headers: bearer(key) })).status, total]
  }
  expect([await read(anna), await read(again), await read(bert), await read(bare)]).toEqual([
    [200, 1],
    [200, 1],
    [404, 0],
    [404, 0],
  ])
  expect([(await start(again)).status, (await start(bert)).status, (await start(bare)).status]).toEqual([429, 201, 201])
  const list = z.object({ keys: z.array(z.object({ owner: z.string() })) })
  const listed = list.parse(await (await app.call('GET', '/api/keys', { headers: asAdmin })).json())
  // The newest spelling is shown.
  expect(listed.keys.map(({ owner }) => owner)).toEqual(expect.arrayContaining(['anna Ä.', 'Bert', 'admin']))
  for (const owner of ['', ' ', 'x'.repeat(101), 7])
    expect((await app.call('POST', '/api/keys', { headers: asAdmin, body: { name: 'k', owner } })).status).toBe(422)
})
