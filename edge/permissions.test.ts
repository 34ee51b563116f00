import { expect, test } from 'vitest'
import { initialHead } from '#shared/run/apply.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from './testing/call-app.ts'
import { exampleEnded, exampleModel, exampleRescore, exampleSpec, exampleTrials } from './testing/example-records.ts'

const visitors = ['nobody', 'agent-token', 'revoked-key', 'agent-key', 'read-key', 'other', 'owner', 'chutes-key', 'admin'] as const
type Row = readonly number[]

/** Expected statuses, one for each visitor in the order above. Runs are private ones of the owner. */
const anyone = (ok = 200): Row => [ok, 401, 401, ok, ok, ok, ok, ok, ok]
const withReadScope: Row = [401, 401, 401, 403, 200, 200, 200, 200, 200]
const readsRun: Row = [404, 401, 401, 404, 200, 404, 200, 404, 200]
const commandsRun: Row = [401, 401, 401, 403, 403, 404, 200, 404, 200]
const starts: Row = [401, 401, 401, 403, 403, 201, 201, 201, 201]
const rescores = (ok: number): Row => commandsRun.map((status) => (status === 200 ? ok : status))
const adminOnly = (ok = 200): Row => [401, 401, 401, 403, 403, 403, 403, 403, ok]
const agentsOnly: Row = [401, 200, 401, 200, 403, 403, 403, 403, 401]

const model_id = exampleModel().id
const rescore_id = '22222222-2222-4222-8222-222222222222'
const submission = { benchmark: 'mmlu_pro', to: { version: 2, fingerprint: null }, code_version: '2', changed: [], not_recomputed: [] }
const table: Record<string, { row: Row; body?: unknown }> = {
  'GET /api/health': { row: anyone() },
  'GET /api/status': { row: anyone() },
  'GET /api/models': { row: anyone() },
  'GET /api/benchmarks': { row: anyone() },
  'GET /': { row: anyone() },
  'GET /openapi.json': { row: anyone() },
  'GET /api/auth/status': { row: anyone() },
  'GET /api/auth/login': { row: anyone(501) },
  'GET /api/auth/callback': { row: anyone(501) },
  'GET /api/auth/me': { row: anyone(501) },
  'POST /api/auth/logout': { row: anyone(501) },
  'GET /api/ops/overview': { row: anyone(501) },
  'GET /api/ops/sandy/:what': { row: anyone(501) },

  'GET /api/openapi.json': { row: anyone() },
  'GET /api/exports/public-key': { row: anyone(503) },
  'GET /api/exports/keys': { row: anyone() },
  'POST /api/exports/verify': { row: anyone(415), body: {} },
  'GET /api/runs': { row: anyone() },
  'POST /api/runs/plan': { row: anyone(), body: { model_id, selected_benchmarks: ['mmlu_pro'] } },
  'POST /api/runs': { row: starts, body: { model_id, selected_benchmarks: ['mmlu_pro'] } },
  'POST /api/runs/api': { row: starts, body: { model_id, selected_benchmarks: ['mmlu_pro'] } },
  'GET /api/runs/:id': { row: readsRun },
  'GET /api/runs/:id/benchmarks/:name': { row: readsRun },
  'GET /api/runs/:id/items/:benchmark/:item_id': { row: readsRun },
  'GET /api/runs/:id/items': { row: readsRun },
  'GET /api/runs/:id/rows': { row: readsRun },
  'GET /api/runs/:id/events': { row: readsRun },
  'GET /api/runs/:id/export': { row: readsRun },
  'POST /api/runs/:id/rescore': { row: rescores(422), body: {} },
  'POST /api/runs/:id/rescores': { row: rescores(201), body: submission },
  'GET /api/runs/:id/rescores': { row: readsRun },
  'GET /api/runs/:id/rescores/:rescore_id': { row: readsRun },
  'POST /api/runs/:id/cancel': { row: commandsRun },
  'POST /api/runs/:id/pause': { row: commandsRun },
  'POST /api/runs/:id/resume': { row: commandsRun },
  'POST /api/runs/:id/retry-failed': { row: commandsRun },
  'PATCH /api/runs/:id': { row: commandsRun, body: { priority: 1 } },
  'POST /api/admin/runs/:id/requeue': { row: adminOnly() },
  'POST /api/admin/sync-models': { row: adminOnly(503) },
  'POST /api/admin/maintenance': { row: adminOnly(), body: { mode: true, message: '' } },
  'GET /api/agents': { row: withReadScope },
  'DELETE /api/agents/:agent_id': { row: adminOnly(404) },
  'GET /api/keys': { row: adminOnly() },
  'POST /api/keys': { row: adminOnly(201), body: { name: 'x' } },
  'DELETE /api/keys/:id': { row: adminOnly(404) },
  'GET /api/fleet/socket': { row: agentsOnly },
  'GET /api/runs/:id/socket': { row: agentsOnly },
}

/** An app with one private run of the owner, in the state that the route's command needs, and every visitor's headers. */
async function stage(route: string) {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'owner', visibility: 'private' })
  const ended = /^GET|retry-failed|requeue|rescore/.test(route)
  const status = route.endsWith('resume') ? ('paused' as const) : ('running' as const)
  const stored = ended ? exampleEnded(spec) : { ...exampleEnded(spec), head: { ...initialHead(spec), status } }
  app.record.runs.set(spec.run_id, stored)
  app.living.set(spec.run_id, { spec, head: stored.head })
  app.record.trials.set(spec.run_id, exampleTrials())
  app.record.rescores.set(rescore_id, { rescore: exampleRescore(spec.run_id, rescore_id), owner_id: 'owner', differences: [] })
  app.record.models.set(model_id, exampleModel())
  const revoked = await giveKey(app, 'owner')
  for (const [id, key] of app.record.keys) app.record.keys.set(id, { ...key, revoked_at: key.expires_at ?? '2026-01-01T00:00:00.000Z' })
  const headers: Record<(typeof visitors)[number], Record<string, string>> = {
    nobody: {},
    'agent-token': bearer('agent-token-1'),
    'revoked-key': bearer(revoked),
    'agent-key': bearer(await giveKey(app, 'owner', ['agents:join'])),
    'read-key': bearer(await giveKey(app, 'owner', ['runs:read'])),
    other: bearer(await giveKey(app, 'other')),
    owner: bearer(await giveKey(app, 'owner')),
    'chutes-key': bearer(chutesKey),
    admin: asAdmin,
  }
  return { ...app, headers, spec }
}

test('[AUTH10] every route has its row in the table', () => {
  const routes = openApp().app.routes.filter((route) => route.method !== 'ALL')
  expect([...new Set(routes.map((route) => `${route.method} ${route.path}`))].toSorted()).toEqual(Object.keys(table).toSorted())
})

test.for(Object.keys(table))('[AUTH10] %s answers every visitor as the table says', async (route) => {
  const [method, path] = route.split(' ') as [string, string]
  const { row, body } = table[route]!
  const { call, headers, spec, deps, record, living } = await stage(route)
  const real = path
    .replace(':id', spec.run_id)
    .replace(/:name|:benchmark/, 'mmlu_pro')
    .replace(':item_id', '0')
    .replace(':rescore_id', rescore_id)
  const [stored, alive] = [record.runs.get(spec.run_id)!, living.get(spec.run_id)!]
  const statuses: number[] = []
  for (const visitor of visitors) {
    record.runs.set(spec.run_id, stored)
    living.set(spec.run_id, alive)
    const given = { headers: { ...headers[visitor], upgrade: 'websocket' }, ...(body !== undefined && { body }) }
    statuses.push((await call(method, real, given)).status)
    await deps.store.writeSetting('maintenance', { mode: false, message: '' })
  }
  expect(Object.fromEntries(visitors.map((visitor, at) => [visitor, statuses[at]]))).toEqual(
    Object.fromEntries(visitors.map((visitor, at) => [visitor, row[at]])),
  )
})
