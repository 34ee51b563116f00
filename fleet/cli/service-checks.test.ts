import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { json, openFixtureApi, problem, runBench } from './fixture-api.ts'

const status = { maintenance_mode: false, message: '', version: '1.2.3', agents: 2, local: false, demo: false }
type Finding = { name: string; ok: boolean; detail: string; needed_for: string; fix: string | null }
const nowhere = { HF_ENDPOINT: 'http://127.0.0.1:9', GITHUB_RAW_ENDPOINT: 'http://127.0.0.1:9', PORT: '9' }

async function findings(env: Record<string, string>) {
  const { out } = await runBench(['doctor', '--json'], { ...nowhere, ...env })
  const found = out.map((line) => JSON.parse(line) as Finding)
  return { names: found.map(({ name }) => name), of: (name: string) => found.find((one) => one.name === name) }
}

test('[CLI91] doctor asks the service, tries key, provider and agent token, and says what is right with them', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/status', json(status))
  api.on('GET /api/runs', json({ runs: [], total: 3 }))
  api.on('GET /v1/models', json({ data: [{ id: 'a' }, { id: 'b' }] }))
  const { names, of } = await findings({
    BENCH_URL: api.url,
    BENCH_API_KEY: 'cbr_x',
    OPENAI_BASE_URL: `${api.url}/v1`,
    OPENAI_API_KEY: 'sk',
  })
  expect(of('service')).toMatchObject({ ok: true, detail: `${api.url}, version 1.2.3, 2 agents` })
  expect(of('key')).toMatchObject({ ok: true, detail: 'accepted, 3 runs of its owner' })
  expect(of('provider openai')).toMatchObject({ ok: true, detail: `${api.url}/v1, 2 models` })
  for (const unneeded of ['docker', 'bubblewrap', 'python', 'go', 'agent token']) expect(names).not.toContain(unneeded)
  const asked = (path: string) => api.asked.find((one) => one.path === path)?.headers.authorization
  expect([asked('/api/status'), asked('/api/runs'), asked('/v1/models')]).toEqual([undefined, 'Bearer cbr_x', 'Bearer sk'])
})

test('[FLEETUP7] on a machine of an agent doctor asks the service that the agent joins, unless BENCH_URL names another', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/status', json(status))
  const joined = await findings({ BENCH_EDGE_URL: api.url })
  expect(joined.of('service')).toMatchObject({ ok: true, detail: `${api.url}, version 1.2.3, 2 agents` })
  const other = await findings({ BENCH_EDGE_URL: api.url, BENCH_URL: 'http://127.0.0.1:9' })
  expect(other.of('service')).toMatchObject({ ok: false, detail: expect.stringContaining('http://127.0.0.1:9') })
})

test('[CLI91] doctor says what is wrong with them, and who must act', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/status', json({ ...status, agents: 0 }))
  api.on('GET /api/runs', problem(401, 'unauthorized', 'This key is not known.'))
  api.on('GET /v1/models', (_, response) => void response.writeHead(401).end())
  const { of } = await findings({
    ...{ BENCH_URL: api.url, BENCH_API_KEY: 'cbr_x', OPENAI_BASE_URL: `${api.url}/v1`, OPENAI_API_KEY: 'sk' },
    ...{ BENCH_AGENT_TOKEN: 'agt_12345678', BENCH_EDGE_URL: 'http://127.0.0.1:9' },
  })
  expect(of('service')).toMatchObject({ ok: false, detail: expect.stringContaining('no agent is connected') })
  expect(of('key')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('This key is not known'),
    fix: expect.stringContaining('cbr_'),
  })
  expect(of('provider openai')).toMatchObject({ ok: false, detail: `${api.url}/v1 refuses the key (HTTP 401)` })
  expect(of('agent token')).toMatchObject({ ok: false, detail: 'http://127.0.0.1:9 cannot be reached (ECONNREFUSED)' })
})

test('[CLI91] doctor names the agents that are silent, with their number where names are not for this key', async () => {
  await using api = await openFixtureApi()
  const frozen = {
    ...{
      agent_id: 'box-2',
      session: null,
      host: null,
      version: '1',
      capabilities: ['llm'],
      slots: 4,
      free_slots: 0,
      running: 4,
      draining: false,
    },
    ...{ connected: true, silent: true, first_seen: '2026-11-22T10:00:00Z', last_seen: '2026-11-22T10:01:00Z' },
  }
  api.on('GET /api/status', json({ ...status, silent_agents: 1 }))
  api.on('GET /api/agents', json({ agents: [{ ...frozen, agent_id: 'box-1', silent: false }, frozen], runs: [] }))
  const named = (await findings({ BENCH_URL: api.url })).of('service')
  expect(named).toMatchObject({ ok: false, detail: expect.stringContaining('1 agent is silent (box-2 since 2026-11-22T10:01:00Z)') })
  expect(named?.fix).toContain('bench agents')
  api.on('GET /api/agents', problem(403, 'forbidden', 'Not with this key.'))
  expect((await findings({ BENCH_URL: api.url })).of('service')).toMatchObject({ detail: expect.stringContaining('1 agent is silent: ') })
})

test('[CLI91] without service and provider doctor says what works all the same, in lines that fit', async () => {
  const { of } = await findings({})
  expect(of('service')).toMatchObject({ ok: false, needed_for: expect.stringContaining('--local works without') })
  expect(of('provider')).toMatchObject({ ok: false, fix: expect.stringContaining('CHUTES_API_KEY') })
  const { out, code } = await runBench(['doctor'], nowhere, { columns: 60 })
  expect(code).toBe(0)
  for (const line of out) expect(stringWidth(line)).toBeLessThanOrEqual(60)
})

test('[CLI371] doctor tells the models of the service apart from the providers of this machine', async () => {
  await using api = await openFixtureApi()
  api.on('GET /api/status', json(status))
  const model = (id: string, provider: string) => ({
    ...{
      id,
      slug: id,
      provider,
      name: id,
      price: null,
      context_length: null,
      features: [],
      is_active: true,
      tagline: null,
      user: null,
      logo: null,
    },
    ...{ chute_id: null, instance_count: 0, max_output_length: null, input_modalities: [], synced_at: null },
  })
  api.on('GET /api/models', json({ models: [], total: 0 }))
  const none = await findings({ BENCH_URL: api.url })
  expect(none.of('service models')).toMatchObject({
    ok: false,
    detail: 'the service serves no model',
    fix: expect.stringContaining('where the service runs'),
  })
  expect(none.of('provider')).toMatchObject({ ok: false, detail: 'none is configured in the environment of this command' })
  api.on('GET /api/models', json({ models: [model('a', 'chutes'), model('b', 'chutes'), model('c', 'lmstudio')], total: 3 }))
  const three = await findings({ BENCH_URL: api.url })
  expect(three.of('service models')).toMatchObject({ ok: true, detail: '3 models: chutes (2), lmstudio (1)' })
  expect(three.of('provider')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('; the service has its own, which its runs use'),
  })
})
