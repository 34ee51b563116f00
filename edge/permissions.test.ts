import { expect, test } from 'vitest'
import { auditActions } from '#shared/contract/audit.ts'
import { initialHead } from '#shared/run/apply.ts'
import { type Access, accessSentence } from './auth/access.ts'
import type { Scope } from './auth/principal.ts'
import { sha256Hex } from './auth/secret.ts'
import { declarationOf } from './routes/declare-route.ts'
import { formerPages } from './routes/predecessor.ts'
import { sessionCookie } from './sign-in/session-cookie.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from './testing/call-app.ts'

import { exampleEnded, exampleModel, exampleRescore, exampleSpec, exampleTrials } from './testing/example-records.ts'
import { exampleTask } from './testing/example-task.ts'

const visitors = [
  'nobody',
  'agent-token',
  'revoked-key',
  'agent-key',
  'read-key',
  'other',
  'owner',
  'chutes-key',
  'admin',
  'signed-in',
] as const
type Row = readonly number[]

/** Expected statuses of a route that answers `ok`, one for each visitor in the order above. Runs are private ones of the owner. */
function rowOf(access: Access, ok: number): Row {
  const row = rowOfKeys(access, ok)
  const asOwnersElsewhere = row[visitors.indexOf('chutes-key')]!
  const bySession = { agent: 401, 'signed in or operator': ok } as const satisfies Partial<Record<Access['who'], number>>
  return [...row, (bySession as Partial<Record<Access['who'], number>>)[access.who] ?? asOwnersElsewhere]
}

function rowOfKeys(access: Access, ok: number): Row {
  switch (access.who) {
    case 'anyone':
    case 'anyone, more with a key':
      return [ok, 401, 401, ok, ok, ok, ok, ok, ok]
    case 'reader of the run':
      return [404, 401, 401, 404, ok, 404, ok, 404, ok]
    case 'key holder':
    case 'reader of the run, with a key':
    case 'owner of the run':
    case 'owner of the task':
      return byScope[access.who][access.scope].map((status) => (status === 0 ? ok : status))
    case 'signed in or operator':
      return operator.map((status) => (status === 0 ? ok : status))
    case 'agent':
      return [401, ok, 401, ok, 403, 403, 403, 403, 401]
  }
}

/** 0 is the route's own answer. */
const operator: Row = [401, 401, 401, 403, 403, 403, 403, 403, 0]
const ofOwner: Record<Scope, Row> = {
  'runs:read': [401, 401, 401, 403, 0, 404, 0, 404, 0],
  'runs:write': [401, 401, 401, 403, 403, 404, 0, 404, 0],
  'agents:join': [401, 401, 401, 404, 403, 403, 403, 403, 0],
  'metrics:read': operator,
  admin: operator,
}
const byScope: Record<'key holder' | 'reader of the run, with a key' | 'owner of the run' | 'owner of the task', Record<Scope, Row>> = {
  'key holder': {
    'runs:read': [401, 401, 401, 403, 0, 0, 0, 0, 0],
    'runs:write': [401, 401, 401, 403, 403, 0, 0, 0, 0],
    'agents:join': [401, 401, 401, 0, 403, 403, 403, 403, 0],
    'metrics:read': operator,
    admin: operator,
  },
  'reader of the run, with a key': ofOwner,
  'owner of the run': ofOwner,
  'owner of the task': ofOwner,
}

const model_id = exampleModel().id
const rescore_id = '22222222-2222-4222-8222-222222222222'
const submission = { benchmark: 'mmlu_pro', to: { version: 2, fingerprint: null }, code_version: '2', changed: [], not_recomputed: [] }
/** What a route is asked with, and what it answers whom it admits, where that is not a bare 200. */
const asked: Record<string, { ok?: number; body?: unknown; signedIn?: number }> = {
  'GET /api/auth/login': { ok: 302 },
  'GET /api/auth/callback': { ok: 400 },
  'GET /api/auth/me': { ok: 401, signedIn: 200 },
  'DELETE /api/auth/sessions/:id': { ok: 404 },
  ...Object.fromEntries(Object.keys(formerPages).map((path) => [`GET ${path}`, { ok: 302 }])),
  'GET /api/ops/sandy/resources': { ok: 503 },
  'GET /api/ops/sandy/metrics': { ok: 503 },
  'GET /api/ops/sandy/sandboxes': { ok: 503 },
  'POST /api/agents/:agent_id/drain': { ok: 404, body: { drain: true } },
  'GET /api/exports/public-key': { ok: 503 },
  'POST /api/exports/verify': { ok: 415, body: {} },
  'POST /api/runs/plan': { body: { model_id, selected_benchmarks: ['mmlu_pro'] } },
  'POST /api/runs': { ok: 201, body: { model_id, selected_benchmarks: ['mmlu_pro'] } },
  'POST /api/runs/api': { ok: 201, signedIn: 401, body: { model_id, selected_benchmarks: ['mmlu_pro'] } },
  'GET /api/benchmarks/:name/items': { ok: 503 },
  'POST /api/runs/:id/again': { ok: 201, body: { benchmark: 'mmlu_pro', items: ['id:3'] } },
  'POST /api/runs/:id/items/:benchmark/:item_id/retry': { ok: 400 },
  'POST /api/runs/:id/rescore': { ok: 422, body: {} },
  'POST /api/runs/:id/rescores': { ok: 201, body: submission },
  'PUT /api/runs/:id/leaderboard': { body: { listed: false } },
  'PATCH /api/runs/:id': { body: { priority: 1 } },
  'POST /api/admin/sync-models': { ok: 503 },
  'POST /api/admin/maintenance': { body: { mode: true, message: '' } },
  'DELETE /api/agents/:agent_id': { ok: 404 },
  'GET /api/janus/composite-score/:id': { ok: 404 },
  'GET /api/runs/:id/composites': {},
  'GET /api/runs/:id/artifacts/:ordinal/:name': { ok: 422 },
  'PUT /api/runs/:id/artifacts/:sha256': { ok: 422 },
  'GET /api/runs/:id/replay/agent': { ok: 422 },
  'POST /api/tasks': { ok: 415, body: {} },
  'POST /api/import/harbor': { ok: 415, body: {} },
  'POST /api/tasks/:id/execute-async': { ok: 422, body: { agent: 'oracle' } },
  'POST /api/tasks/:id/retry': { ok: 400 },
  'GET /api/tasks/:id/runs/:rid': { ok: 404 },
  'GET /api/tasks/:id/runs/:rid/logs': { ok: 404 },
  'GET /api/runs/:id/uploads/:sha256': { ok: 422 },
  'GET /api/runs/:id/handed-over/:ordinal/:name': { ok: 422 },
  'POST /api/runs/:id/regrade': { ok: 422, body: {} },
  'GET /api/runs/:id/regrade': { ok: 404 },
  'POST /api/keys': { ok: 201, body: { name: 'x' } },
  'DELETE /api/keys/:id': { ok: 404 },
  'POST /api/provider-keys': { ok: 201, body: { provider: 'openrouter', key: 'sk-or-0123456789abcdef' } },
  'PUT /api/run-defaults': { body: { model_id } },
  'DELETE /api/provider-keys/:provider': { ok: 404 },
  'PUT /api/budgets/:kind/:id': { ok: 404, body: { day_usd: 1 } },
}

const routes = openApp().app.routes.filter((route) => route.method !== 'ALL')
const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`
const declared = new Map(
  routes.flatMap((route) => {
    const declaration = declarationOf(route.handler)
    return declaration ? [[nameOf(route), declaration] as const] : []
  }),
)

/** Adds a session with the scope `chutes:invoke`. Its identity provider gets no requests. */
async function signIn({ deps, record }: ReturnType<typeof openApp>): Promise<Record<string, string>> {
  const refused = async () => ({ is: 'refused', code: 'invalid_grant' }) as const
  deps.idp = {
    authorizeUrl: async () => 'https://idp.example/',
    exchange: refused,
    refresh: refused,
    whoIs: refused,
    revoke: async () => undefined,
  }
  const secret = 'a'.repeat(64)
  const at = deps.now().toISOString()
  const person = { owner_id: 'chutes-somebody', user_id: 'u', username: 'somebody', browser: '' }
  const times = { created_at: at, used_at: at, expires_at: '2027-01-01T00:00:00.000Z', ended_at: null }
  record.sessions.set('s', { id: 's', sha256: await sha256Hex(secret), scopes: ['chutes:invoke'], ...person, ...times })
  await deps.sessions.keep('s', {
    access_token: 'cak_test',
    refresh_token: null,
    expires_at_ms: deps.now().getTime() + 3_600_000,
    scope: [],
  })
  return { cookie: `${sessionCookie}=${secret}` }
}

/** An app with one private run of the owner, in the state that the route's command needs, and every visitor's headers. */
async function stage(route: string) {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'owner', visibility: 'private' })
  const ended = /^GET|retry|again|requeue|rescore|regrade/.test(route)
  const status = route.endsWith('resume') ? ('paused' as const) : ('running' as const)
  const stored = ended ? exampleEnded(spec) : { ...exampleEnded(spec), head: { ...initialHead(spec), status } }
  app.record.runs.set(spec.run_id, stored)
  app.living.set(spec.run_id, { spec, head: stored.head })
  app.record.replays.set(spec.run_id, [{ texts: ['Said before.'] }])
  app.record.trials.set(spec.run_id, exampleTrials())
  app.record.rescores.set(rescore_id, { rescore: exampleRescore(spec.run_id, rescore_id), owner_id: 'owner', differences: [] })
  app.record.models.set(model_id, exampleModel())
  app.record.tasks.set(spec.run_id, exampleTask({ id: spec.run_id, owner_id: 'owner' }))
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
    'signed-in': await signIn(app),
  }
  return { ...app, headers, spec }
}

test('[ACC1] every route of the app declares who may call it and what it costs', () => {
  expect(routes.map(nameOf).filter((name) => !declared.has(name))).toEqual([])
  expect(declared.size).toBeGreaterThan(45)
  expect(Object.keys(asked).filter((name) => !declared.has(name))).toEqual([])
})

test.for([...declared.keys()])('[AUTH10] %s admits whom it declares, and nobody else', async (route) => {
  const [method, path] = route.split(' ') as [string, string]
  const { ok = 200, body, signedIn } = asked[route] ?? {}
  const row = rowOf(declared.get(route)!.access, ok).with(-1, signedIn ?? rowOf(declared.get(route)!.access, ok).at(-1)!)
  const { call, headers, spec, deps, record, living } = await stage(route)
  const real = path
    .replace(':id', spec.run_id)
    .replace(/:name|:benchmark/, 'mmlu_pro')
    .replace(':item_id', '0')
    .replace(':rescore_id', rescore_id)
    .replace(':kind', 'key')
  const [stored, alive] = [record.runs.get(spec.run_id)!, living.get(spec.run_id)!]
  const statuses: number[] = []
  const entries: number[] = []
  for (const visitor of visitors) {
    const kept = record.audit.length
    record.runs.set(spec.run_id, stored)
    living.set(spec.run_id, alive)
    record.tasks.set(spec.run_id, exampleTask({ id: spec.run_id, owner_id: 'owner' }))
    record.taskRuns.clear()
    const given = { headers: { ...headers[visitor], upgrade: 'websocket' }, ...(body !== undefined && { body }) }
    statuses.push((await call(method, real, given)).status)
    entries.push(record.audit.length - kept)
    await deps.store.writeSetting('maintenance', { mode: false, message: '' })
  }
  expect(Object.fromEntries(visitors.map((visitor, at) => [visitor, statuses[at]]))).toEqual(
    Object.fromEntries(visitors.map((visitor, at) => [visitor, row[at]])),
  )
  // [AUDIT1] What was done is kept once; what was refused changed nothing. Nobody signs out without a session.
  const { audits } = declared.get(route)!
  const isKept = (visitor: string, at: number) =>
    typeof audits === 'string' && statuses[at]! < 400 && (visitor === 'signed-in' || !path.endsWith('logout'))
  expect(entries).toEqual(visitors.map((visitor, at) => (isKept(visitor, at) ? 1 : 0)))
})

test('[AUDIT1] every route that writes names its action, or says why it keeps no entry', () => {
  const writing = [...declared].filter(([name]) => !/^(GET|HEAD) /.test(name))
  expect(writing.length).toBeGreaterThan(20)
  expect(writing.filter(([, { audits }]) => audits === undefined).map(([name]) => name)).toEqual([])
  const silent = writing.flatMap(([name, { audits }]) => (typeof audits === 'object' ? [name] : []))
  expect(silent).toEqual(['PUT /api/runs/:id/artifacts/:sha256', 'POST /api/runs/plan', 'POST /api/exports/verify'])
  const named = new Set([...declared.values()].flatMap(({ audits }) => (typeof audits === 'string' ? [audits] : [])))
  expect([...named].sort()).toEqual([...auditActions].sort())
})

test('[ACC2] whoever may not come is refused before anything he sent is looked at', async () => {
  const { call, headers, spec } = await stage('GET /api/runs/:id')
  const status = async (method: string, path: string, visitor: (typeof visitors)[number], body?: unknown) =>
    (await call(method, path, { headers: headers[visitor], ...(body !== undefined && { body }) })).status
  for (const [method, path] of [
    ['POST', '/api/runs'],
    ['POST', '/api/keys'],
    ['PATCH', `/api/runs/${spec.run_id}`],
    ['POST', `/api/runs/${spec.run_id}/rescores`],
  ] as const) {
    expect(await status(method, path, 'nobody', { unknown: 1 }), path).toBe(401)
    expect(await status(method, path, 'read-key', { unknown: 1 }), path).toBe(403)
    expect(await status(method, path, 'admin', { unknown: 1 }), path).toBe(422)
  }
  expect(await status('GET', `/api/runs/${spec.run_id}/items?limit=x`, 'other')).toBe(404)
  expect(await status('GET', `/api/runs/${spec.run_id}/items?limit=x`, 'owner')).toBe(422)
})

test('[ACC3] the document says of every operation who may call it, as its route declares', async () => {
  const document = (await (await openApp().call('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { security: object[]; description: string }>>
  }
  const told = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, description }]) => {
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      const { access } = declared.get(name)!
      expect(description.endsWith(accessSentence(access)), name).toBe(true)
      return { access, free: security.length === 0, optional: security.some((one) => Object.keys(one).length === 0) }
    }),
  )
  expect(told.length).toBeGreaterThan(30)
  for (const { access, free, optional } of told) {
    expect(free).toBe(access.who === 'anyone')
    expect(optional).toBe(access.who === 'anyone, more with a key' || access.who === 'reader of the run')
  }
})
