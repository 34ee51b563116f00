import { expect, test } from 'vitest'
import { Status } from '#shared/contract/api.ts'
import { OpsOverview } from '#shared/contract/ops.ts'
import { initialHead } from '#shared/run/apply.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleSpec } from '../testing/example-records.ts'

const agent = {
  ...{ agent_id: 'box-1', session: 's', host: 'box', version: '0.1.0', capabilities: ['llm'], slots: 8, free_slots: 5, running: 3 },
  ...{ draining: false, connected_at: '2026-01-01T00:00:00.000Z' },
}

test('[OPS10] the overview has the predecessor’s fields, private runs and forecasts among them, and is for operators alone', async () => {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'anna', visibility: 'private' })
  app.record.runs.set(spec.run_id, { spec, head: { ...initialHead(spec), status: 'running' }, metrics: {}, updated_at: spec.created_at })
  app.agents.push(agent)
  app.dealt.push({ run_id: spec.run_id, owner_id: 'anna', visibility: 'private', agents: 1, slots: 3, by: ['box-1'] })
  const forecast = { position: null, waiting: 0, starts_at: null, ends_at: '2026-01-01T01:00:00.000Z', unknown: null }
  app.forecasts[spec.run_id] = forecast
  const anna = bearer(await giveKey(app, 'anna'))
  expect((await app.call('GET', '/api/ops/overview', { headers: anna })).status).toBe(403)
  expect((await app.call('GET', '/api/ops/overview')).status).toBe(401)
  const answer = await app.call('GET', '/api/ops/overview?minutes=60', { headers: asAdmin })
  const told = OpsOverview.parse(await answer.json())
  expect(told.workers).toMatchObject([
    { worker_id: 'box-1', hostname: 'box', running_runs: 1, running_items: 3, item_concurrency: 8, load: [3], usage: null },
  ])
  expect(told.timeseries).toEqual([
    { timestamp: '1970-01-01T00:00:00.000Z', worker_count: 1, running_runs: 1, queued_runs: 0, slots: 8, running_items: 3 },
  ])
  expect(told.queue_counts).toMatchObject({ running: 1, queued: 0, failed: 0 })
  expect(told.running_runs).toMatchObject([{ id: spec.run_id, status: 'running', forecast }])
  expect(told.token_stats.last_24h).toMatchObject({ total_tokens: 0, failures: [] })
  for (const minutes of ['29', '1441', 'x'])
    expect((await app.call('GET', `/api/ops/overview?minutes=${minutes}`, { headers: asAdmin })).status).toBe(422)
})

test('[OPS14] a client of the predecessor finds the subset and the benchmarks of a run, the size of an agent and the hours of a window', async () => {
  const app = openApp()
  const overview = async () => (await (await app.call('GET', '/api/ops/overview', { headers: asAdmin })).json()) as Record<string, object>
  expect((await overview()).worker_config).toMatchObject({ worker_max_concurrent: null, worker_item_concurrency: null })
  const spec = exampleSpec({ subset: { pct: 5, count: 7, seed: 'mine' } as never })
  app.record.runs.set(spec.run_id, { spec, head: { ...initialHead(spec), status: 'running' }, metrics: {}, updated_at: spec.created_at })
  app.agents.push(agent, { ...agent, agent_id: 'box-2', slots: 20 })
  app.deps.now = () => new Date(Date.now() + 60_000)
  const told = await overview()
  const names = spec.benchmarks.map(({ name }) => name)
  expect(told.running_runs).toMatchObject([{ subset_pct: 5, subset_count: 7, subset_seed: 'mine', benchmarks: names }])
  expect(told.worker_config).toMatchObject({ worker_max_concurrent: 20, worker_item_concurrency: 20, item_concurrency: 28 })
  expect(told.token_stats).toMatchObject({ last_24h: { window_hours: 24 }, last_7d: { window_hours: 168 } })
})

test('[OPS16] the overview says how much of an agent’s machine is in use, now and over time; unknown is null', async () => {
  const app = openApp()
  const usage = { cpu_ratio: 0.5, memory_ratio: 0.25, disk_ratio: null }
  app.agents.push({ ...agent, usage }, { ...agent, agent_id: 'old' })
  const told = OpsOverview.parse(await (await app.call('GET', '/api/ops/overview', { headers: asAdmin })).json())
  expect(told.workers.map((one) => [one.worker_id, one.usage, one.usage_over_time])).toEqual([
    ['box-1', usage, [usage]],
    ['old', null, [null]],
  ])
})

test('[OPS15] Sandy’s numbers come under the predecessor’s names as well, with percentages and GiB made of bytes; unknown is null', async () => {
  const app = openApp()
  const get = async (body: object) => {
    app.sandy.resources = { ok: true, body: JSON.stringify(body) }
    return (await app.call('GET', '/api/ops/sandy/resources', { headers: asAdmin })).json()
  }
  const GiB = 1024 ** 3
  const memory = { memoryTotalBytes: 8 * GiB, memoryUsedBytes: 2 * GiB, memoryAvailableBytes: 6 * GiB }
  const told = { canCreateSandbox: true, priorityBreakdown: { low: 1 }, cpuCount: 4, diskUsedRatio: 0.4, load_avg_5m: 2, ...memory }
  expect(await get(told)).toMatchObject({
    ...{ can_create_sandbox: true, canCreateSandbox: true, priorityBreakdown: { low: 1 }, cpuCount: 4, load5: 2, ...memory },
    ...{ memory_percent: 25, memory_total_gb: 8, memory_available_gb: 6, disk_used_ratio: 0.4, diskUsedRatio: 0.4, cpu_percent: null },
  })
  expect(await get({ memory_percent: 61, cpu_percent: 12 })).toMatchObject({
    ...{ memory_percent: 61, cpu_percent: 12, memory_total_gb: null, memoryTotalBytes: null, canCreateSandbox: null },
  })
  expect(await get({ memoryTotalBytes: 0, memoryUsedBytes: 0 })).toMatchObject({ memory_percent: null, memory_total_gb: 0 })
})

test('[OPS11] Sandy’s numbers come under the predecessor’s names in either spelling; where no agent has one, the answer is 503 and says so', async () => {
  const app = openApp()
  const get = async (path: string) => {
    const answer = await app.call('GET', `/api/ops/sandy/${path}`, { headers: asAdmin })
    return [answer.status, await answer.json()] as const
  }
  const [status, body] = await get('resources')
  expect([status, (body as { detail: string }).detail]).toEqual([503, expect.stringContaining('SANDY_BASE_URL')])
  const ok = (value: unknown) => ({ ok: true as const, body: JSON.stringify(value) })
  app.sandy.resources = ok({
    canCreateSandbox: false,
    rejectReason: 'full',
    cpuCount: 16,
    load_1: 3,
    disk_free_bytes: 5,
    limits: { max: 8 },
  })
  app.sandy.metrics = ok([{ timestamp: 't', cpuRatio: 0.5, memory_ratio: 'much' }])
  app.sandy.sandboxes = ok([{ sandboxId: 'sb/1', cpuCoresUsed: 0.5 }, { nothing: 1 }])
  expect(await get('resources')).toMatchObject([
    200,
    { can_create_sandbox: false, reject_reason: 'full', cpu_count: 16, disk_free_bytes: 5, load1: null, limits: { max: 8 } },
  ])
  expect(await get('metrics?hours=2')).toEqual([200, [{ timestamp: 't', cpu_ratio: 0.5, memory_ratio: null, disk_ratio: null }]])
  expect(await get('sandboxes?ids=sb/1')).toMatchObject([200, [{ sandbox_id: 'sb/1', cpu_cores_used: 0.5, updated_at: null }]])
  expect((await get('metrics?hours=49'))[0]).toBe(422)
  app.sandy.metrics = { ok: false, why: 'Sandy answered 500' }
  expect(await get('metrics')).toMatchObject([503, { detail: 'Sandy answered 500.' }])
})

test('[OPS12] an agent is drained by its name and has work again by the same call', async () => {
  const app = openApp()
  app.agents.push({ ...agent })
  const drain = async (name: string, on: boolean) =>
    (await app.call('POST', `/api/agents/${name}/drain`, { headers: asAdmin, body: { drain: on } })).status
  expect(await drain('nobody', true)).toBe(404)
  expect([await drain('box-1', true), app.agents[0]?.draining]).toEqual([200, true])
  expect([await drain('box-1', false), app.agents[0]?.draining]).toEqual([200, false])
})

test('[OPS13] maintenance with a deadline ends by itself; one in the past is refused, and turning it off needs no message', async () => {
  const app = openApp()
  const set = (body: object) => app.call('POST', '/api/admin/maintenance', { headers: asAdmin, body })
  const status = async () => Status.parse(await (await app.call('GET', '/api/status')).json())
  const now = app.deps.now().getTime()
  expect((await set({ mode: true, until: new Date(now - 1).toISOString() })).status).toBe(422)
  const until = new Date(now + 60_000).toISOString()
  expect((await set({ mode: true, message: 'Disks are changed.', until })).status).toBe(200)
  expect(await status()).toMatchObject({ maintenance_mode: true, message: 'Disks are changed.', until })
  app.deps.now = () => new Date(now + 60_000)
  expect(await status()).toMatchObject({ maintenance_mode: false, until: null })
  app.deps.now = () => new Date(now)
  expect((await set({ mode: false })).status).toBe(200)
  expect(await status()).toMatchObject({ maintenance_mode: false })
})
