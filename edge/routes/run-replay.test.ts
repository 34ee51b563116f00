import { expect, test } from 'vitest'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import { readReplay } from '#shared/run/replay.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from '../testing/call-app.ts'
import { leaseName } from '../testing/memory-deps.ts'

const replay = [{ benchmark: 'mmlu_pro', item: '4', epoch: 0, texts: ['The answer is (A).'] }, { texts: ['The answer is (B).'] }]
const body = { model_id: 'answers of May', selected_benchmarks: ['mmlu_pro'], replay }

async function readyApp() {
  const app = openApp()
  const headers = bearer(await giveKey(app, 'anna'))
  const create = (change: object = {}, more: Record<string, string> = {}) =>
    app.call('POST', '/api/runs', { headers: { ...headers, ...more }, body: { ...body, ...change } })
  const started = async (change: object = {}) => Run.parse(await (await create(change)).json())
  return { ...app, headers, create, started }
}

test('[RUN113] a run with answers looks up no model: its plan names their label, their hash and no pre-flight, and every view says so', async () => {
  const { started, record, call } = await readyApp()
  const run = await started()
  const { spec } = record.runs.get(run.id)!
  expect(run).toMatchObject({ model_slug: 'answers of May', provider: 'replay', labels: ['replay'], spec: { price: null } })
  expect(spec).toMatchObject({ model: { id: 'answers of May', slug: 'answers of May', provider: 'replay' }, replay: { answers: 2 } })
  expect(spec).not.toHaveProperty('preflight')
  expect(readReplay(spec.replay!, record.replays.get(run.id)!)).toEqual({ ok: true, value: replay })
  expect(JSON.stringify(spec)).not.toContain('The answer is')
  record.latency.mmlu_pro = 1000
  const plan = PlanPreview.parse(await (await call('POST', '/api/runs/plan', { body })).json())
  expect(plan).toMatchObject({ input_tokens: 0, output_tokens: 0, cost_usd: 0, minutes: null })
  expect(plan.notes.join(' ')).toContain('No model is asked: 2 answers are given with the run')
})

test('[RUN113] a provider beside answers, a replay without any, texts that are no Unicode and a budget without a price are refused', async () => {
  const { create } = await readyApp()
  const refused = async (change: object) => {
    const response = await create(change)
    const { errors } = (await response.json()) as { errors?: { pointer: string }[] }
    return [response.status, errors?.[0]?.pointer]
  }
  expect(await refused({ provider: 'chutes' })).toEqual([422, '/provider'])
  expect(await refused({ provider: 'replay', replay: null })).toEqual([422, '/replay'])
  expect(await refused({ replay: [{ texts: ['half \ud800'] }] })).toEqual([422, '/replay'])
  expect(await refused({ budget_usd: 1 })).toEqual([422, '/budget_usd'])
  const price = { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null }
  expect(await refused({ budget_usd: 1, price, provider: 'replay' })).toEqual([201, undefined])
})

test('[API186] the answers are repeated by no key but that of their own request', async () => {
  const { create, record } = await readyApp()
  const key = { 'idempotency-key': 'once' }
  const [first, again] = [await create({}, key), await create({}, key)]
  expect([first.status, again.status, (await create({ replay: replay.slice(1) }, key)).status]).toEqual([201, 200, 409])
  expect(record.replays.size).toBe(1)
})

test('[RUN116] a Chutes key starts a replay without being kept with it', async () => {
  const { call, record } = await readyApp()
  const response = await call('POST', '/api/runs', { headers: bearer(chutesKey), body })
  expect(response.status).toBe(201)
  const run = Run.parse(await response.json())
  expect([run.spec.own_credential, record.credentials.size]).toEqual([false, 0])
})

test('[API186] the answers of a run are read by its owner and by the agents that the fleet sent there, and by nobody else', async () => {
  const app = await readyApp()
  const { call, started, headers, leases } = app
  const { id } = await started()
  const read = async (given: Record<string, string>, path = `/api/runs/${id}/replay`) => {
    const response = await call('GET', path, { headers: given })
    return [response.status, response.ok ? await response.json() : null]
  }
  expect(await read(headers)).toEqual([200, replay])
  expect(await read({})).toEqual([401, null])
  expect(await read(bearer(await giveKey(app, 'bert')))).toEqual([404, null])
  expect(await read(asAdmin)).toEqual([200, replay])

  const claim = { agent_id: 'box', session: 'session-1', pass: 'pass-1', ordinal: 0, attempt: 1 }
  leases.add(leaseName(claim))
  const agent = { ...bearer('agent-token-1'), 'x-bench-agent': 'box', 'x-bench-session': 'session-1', 'x-bench-pass': 'pass-1' }
  const path = `/api/runs/${id}/replay/agent`
  expect(await read(agent, path)).toEqual([200, replay])
  expect(await read({ ...agent, 'x-bench-pass': 'pass-2' }, path)).toEqual([403, null])
  expect(await read({ ...agent, ...bearer('wrong-token-1') }, path)).toEqual([401, null])
  expect(await read({ ...agent, ...headers }, path)).toEqual([403, null])
  expect(await read(agent, '/api/runs/00000000-0000-4000-8000-0000000000ff/replay/agent')).toEqual([404, null])
  app.record.replays.clear()
  expect(await read(agent, path)).toEqual([404, null])
  expect(await read(headers)).toEqual([404, null])
})
