import { expect, test } from 'vitest'
import { sum } from '#shared/telemetry/run-progress.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'

const agent = {
  agent_id: 'box-7',
  session: 's',
  host: 'h',
  version: '1',
  capabilities: [],
  slots: 10,
  free_slots: 4,
  running: 6,
  draining: false,
  connected_at: '2026-01-02T03:00:00.000Z',
}

test('[OBS8] whoever watches the service reads its counters, runs and agents from the fleet, without the database', async () => {
  const app = openApp()
  const heard_ms = app.deps.now().getTime()
  app.agents.push(
    { ...agent, heard_ms },
    { ...agent, agent_id: 'box-8', running: 0, free_slots: 10, heard_ms },
    { ...agent, agent_id: 'box-9', heard_ms: heard_ms - 600_000 },
  )
  app.measured.totals.push(sum('bench_trials_total', { outcome: 'right' }, 41), sum('bench_cost_usd_total', { role: 'judge' }, 0.25))
  const run = { status: 'running', drain_lag_ms: 0, alarm_late_ms: 30, viewers: 2 } as const
  app.measured.runs.push({ run_id: 'a', ...run }, { run_id: 'b', ...run, drain_lag_ms: 2500 }, { run_id: 'c', ...run, status: 'succeeded' })
  app.record.away = true
  const answer = await app.call('GET', '/api/metrics', { headers: asAdmin })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const text = await answer.text()
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'bench_info{version="0.1.0"} 1',
      'bench_runs{status="queued"} 0',
      'bench_runs{status="running"} 2',
      'bench_runs_ended_total{status="succeeded"} 0',
      'bench_trials_total{outcome="right"} 41',
      'bench_trials_total{outcome="wrong"} 0',
      'bench_cost_usd_total{role="judge"} 0.25',
      'bench_agents{state="idle"} 1',
      'bench_agents{state="working"} 1',
      'bench_agents{state="silent"} 1',
      'bench_slots 30',
      'bench_slots_free 14',
      'bench_working 12',
      'bench_drain_lag_seconds 2.5',
      'bench_alarm_delay_seconds 0.03',
      'bench_viewers 6',
    ]),
  )
  expect(text).not.toMatch(/box-7|run_id/)
})

test('[OBS8] a key with the scope metrics:read reads metrics, and nothing of its owner', async () => {
  const app = openApp()
  const headers = bearer(await giveKey(app, 'prometheus', ['metrics:read']))
  expect((await app.call('GET', '/api/metrics', { headers })).status).toBe(200)
  expect((await app.call('GET', '/api/agents', { headers })).status).toBe(403)
  expect((await app.call('POST', '/api/runs', { headers, body: {} })).status).toBe(403)
})

test('[OBS8] problems are counted by code and handed to the fleet after the answer, once for many, and again where that failed', async () => {
  const { call, due, deps, measured } = openApp()
  for (let n = 0; n < 3; n++) await call('GET', '/api/nothing')
  await call('GET', '/api/metrics')
  await call('GET', '/api/status')
  expect(due).toHaveLength(1)
  const { count } = deps.fleet
  deps.fleet.count = () => Promise.reject(new Error('away'))
  await due.splice(0)[0]!()
  deps.fleet.count = count
  expect(measured.totals).toEqual([])
  await call('GET', '/api/nothing')
  await due.splice(0)[0]!()
  expect(measured.totals).toEqual([
    sum('bench_problems_total', { code: 'not-found' }, 4),
    sum('bench_problems_total', { code: 'unauthorized' }, 1),
  ])
  await call('GET', '/api/status')
  expect(due).toEqual([])
})
