import { initialHead } from '#shared/run/apply.ts'
import { sha256Hex } from '../auth/secret.ts'
import { declarationOf } from '../routes/declare-route.ts'
import { formerPages } from '../routes/predecessor.ts'
import { sessionCookie } from '../sign-in/session-cookie.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from './call-app.ts'
import { exampleEnded, exampleModel, exampleRescore, exampleSpec, exampleTrials } from './example-records.ts'
import { exampleTask } from './example-task.ts'

export const visitors = [
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
const model_id = exampleModel().id
export const rescore_id = '22222222-2222-4222-8222-222222222222'
const submission = { benchmark: 'mmlu_pro', to: { version: 2, fingerprint: null }, code_version: '2', changed: [], not_recomputed: [] }
/**
 * What a route is asked with, and what it answers whom it admits, where that is not a bare 200. `ofTeam`: what it
 * answers in the stage of a team, for each of `teamVisitors` where they differ otherwise than by their roles.
 */
export const asked: Record<string, { ok?: number; body?: unknown; signedIn?: number; ofTeam?: number | readonly number[] }> = {
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
  'PUT /api/budgets/:kind/:id': { ok: 404, body: { day_usd: 1 } },
  'POST /api/provider-keys': { ok: 201, body: { provider: 'openrouter', key: 'sk-or-0123456789abcdef' } },
  'PUT /api/run-defaults': { body: { model_id } },
  'DELETE /api/provider-keys/:provider': { ok: 404 },
  'POST /api/teams': { ok: 201, body: { name: 'x' } },
  'PATCH /api/teams/:id': { body: { name: 'x' } },
  'DELETE /api/teams/:id': { ofTeam: 409 },
  'PATCH /api/teams/:id/members/:member': { ok: 404, body: { role: 'runner' } },
  'DELETE /api/teams/:id/members/:member': { ok: 404, ofTeam: [403, 403, 404, 404] },
  'POST /api/teams/:id/invitations': { ok: 201, body: { role: 'viewer' } },
  'DELETE /api/teams/:id/invitations/:invitation': { ok: 404 },
  'POST /api/teams/invitation': { ok: 404, body: { secret: 'x' } },
  'POST /api/teams/join': { ok: 404, body: { secret: 'x' } },
}

export const routes = openApp().app.routes.filter((route) => route.method !== 'ALL')
export const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`
export const declared = new Map(
  routes.flatMap((route) => {
    const declaration = declarationOf(route.handler)
    return declaration ? [[nameOf(route), declaration] as const] : []
  }),
)

/** Adds a session of a user with the scope `chutes:invoke`. Its identity provider gets no requests. */
async function signIn({ deps, record }: ReturnType<typeof openApp>, name = 'somebody'): Promise<Record<string, string>> {
  const refused = async () => ({ is: 'refused', code: 'invalid_grant' }) as const
  deps.idp = {
    authorizeUrl: async () => 'https://idp.example/',
    exchange: refused,
    refresh: refused,
    whoIs: refused,
    revoke: async () => undefined,
  }
  const secret = await sha256Hex(name)
  const at = deps.now().toISOString()
  const person = { owner_id: `chutes-${name}`, user_id: name, username: name, browser: '' }
  const times = { created_at: at, used_at: at, expires_at: '2027-01-01T00:00:00.000Z', ended_at: null }
  record.sessions.set(name, { id: name, sha256: await sha256Hex(secret), scopes: ['chutes:invoke'], ...person, ...times })
  await deps.sessions.keep(name, {
    access_token: 'cak_test',
    refresh_token: null,
    expires_at_ms: deps.now().getTime() + 3_600_000,
    scope: [],
  })
  return { cookie: `${sessionCookie}=${secret}` }
}

/** An app with one private run of the owner, in the state that the route's command needs. */
function stageRun(route: string, owner_id: string) {
  const app = openApp()
  const spec = exampleSpec({ owner_id, visibility: 'private' })
  const ended = /^GET|retry|again|requeue|rescore|regrade/.test(route)
  const status = route.endsWith('resume') ? ('paused' as const) : ('running' as const)
  const stored = ended ? exampleEnded(spec) : { ...exampleEnded(spec), head: { ...initialHead(spec), status } }
  app.record.runs.set(spec.run_id, stored)
  app.living.set(spec.run_id, { spec, head: stored.head })
  app.record.replays.set(spec.run_id, [{ texts: ['Said before.'] }])
  app.record.trials.set(spec.run_id, exampleTrials())
  app.record.rescores.set(rescore_id, { rescore: exampleRescore(spec.run_id, rescore_id), owner_id, differences: [] })
  app.record.models.set(model_id, exampleModel())
  app.record.tasks.set(spec.run_id, exampleTask({ id: spec.run_id, owner_id }))
  app.record.teams.set(spec.run_id, { id: spec.run_id, name: 'Team', made_by: 'chutes-admin', created_at: spec.created_at })
  return { ...app, spec }
}

/** The same with every visitor's headers. */
export async function stage(route: string) {
  const { spec, ...app } = stageRun(route, 'owner')
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

export const teamVisitors = ['viewer', 'runner', 'admin', 'stranger'] as const

/** The same with a team of the run's id, which owns the run and the task, and sessions of its members and of a stranger. */
export async function stageTeam(route: string) {
  const { spec, ...app } = stageRun(route, `team:${exampleSpec({}).run_id}`)
  const joined_at = spec.created_at
  for (const role of ['viewer', 'runner', 'admin'] as const)
    app.record.members.push({ team_id: spec.run_id, owner_id: `chutes-${role}`, username: role, role, joined_at })
  const headers = Object.fromEntries(
    await Promise.all(teamVisitors.map(async (name) => [name, await signIn(app, name)] as const)),
  ) as Record<(typeof teamVisitors)[number], Record<string, string>>
  return { ...app, headers, spec }
}
