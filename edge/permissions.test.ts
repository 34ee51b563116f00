import { expect, test } from 'vitest'
import { auditActions } from '#shared/contract/audit.ts'
import { type Access, accessSentence } from './auth/access.ts'
import type { Scope } from './auth/principal.ts'
import { openApp } from './testing/call-app.ts'
import { exampleTask } from './testing/example-task.ts'
import { asked, declared, nameOf, rescore_id, routes, stage, stageTeam, teamVisitors, visitors } from './testing/permission-stage.ts'

type Row = readonly number[]

/** Expected statuses of a route that answers `ok`, one for each visitor in the order above. Runs are private ones of the owner. */
function rowOf(access: Access, ok: number): Row {
  const row = rowOfKeys(access, ok)
  const asOwnersElsewhere = row[visitors.indexOf('chutes-key')]!
  const bySession = { agent: 401, 'signed in or operator': ok, 'signed in': ok, 'member of the team': 404 } as const satisfies Partial<
    Record<Access['who'], number>
  >
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
    case 'signed in':
      return [401, 401, 401, 403, 403, 403, 403, 403, 403]
    case 'signed in or operator':
    case 'member of the team':
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

test('[ACC1] every route of the app declares who may call it and what it costs', () => {
  expect(routes.map(nameOf).filter((name) => !declared.has(name))).toEqual([])
  expect(declared.size).toBeGreaterThan(45)
  expect(Object.keys(asked).filter((name) => !declared.has(name))).toEqual([])
})

const realPath = (path: string, id: string): string =>
  path
    .replace(':id', id)
    .replace(/:name|:benchmark/, 'mmlu_pro')
    .replace(':item_id', '0')
    .replace(':rescore_id', rescore_id)
    .replace(':kind', 'key')

test.for([...declared.keys()])('[AUTH10] %s admits whom it declares, and nobody else', async (route) => {
  const [method, path] = route.split(' ') as [string, string]
  const { ok = 200, body, signedIn } = asked[route] ?? {}
  const row = rowOf(declared.get(route)!.access, ok).with(-1, signedIn ?? rowOf(declared.get(route)!.access, ok).at(-1)!)
  const { call, headers, spec, deps, record, living } = await stage(route)
  const real = realPath(path, spec.run_id)
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

/** What admins of a team alone do to its runs and tasks. */
const adminsOnly = ['PUT /api/runs/:id/leaderboard', 'DELETE /api/tasks/:id']

/** Expected statuses for viewer, runner and admin of the team that owns run and task, and for a signed-in stranger. */
function teamRow(route: string, access: Access, ok: number): Row {
  switch (access.who) {
    case 'anyone':
    case 'anyone, more with a key':
    case 'signed in':
    case 'signed in or operator':
      return [ok, ok, ok, ok]
    case 'key holder':
      return access.scope === 'runs:read' || access.scope === 'runs:write' ? [ok, ok, ok, ok] : [403, 403, 403, 403]
    case 'reader of the run':
    case 'reader of the run, with a key':
      return [ok, ok, ok, 404]
    case 'owner of the run':
    case 'owner of the task':
      if (access.scope === 'runs:read') return [ok, ok, ok, 404]
      if (access.scope !== 'runs:write') return [403, 403, 403, 403]
      return adminsOnly.includes(route) ? [403, 403, ok, 404] : [403, ok, ok, 404]
    case 'member of the team':
      return access.right === 'read' ? [ok, ok, ok, 404] : [403, 403, ok, 404]
    case 'agent':
      return [401, 401, 401, 401]
  }
}

test.for([...declared.keys()])('[TEAM1] %s admits members of a team as their roles allow, and no stranger', async (route) => {
  const [method, path] = route.split(' ') as [string, string]
  const { ok = 200, body, signedIn, ofTeam } = asked[route] ?? {}
  const { access } = declared.get(route)!
  const row = Array.isArray(ofTeam) ? ofTeam : teamRow(route, access, typeof ofTeam === 'number' ? ofTeam : (signedIn ?? ok))
  const { call, headers, spec, record, living } = await stageTeam(route)
  const [stored, alive] = [record.runs.get(spec.run_id)!, living.get(spec.run_id)!]
  const statuses: Record<string, number> = {}
  for (const visitor of teamVisitors) {
    record.runs.set(spec.run_id, stored)
    living.set(spec.run_id, alive)
    record.tasks.set(spec.run_id, exampleTask({ id: spec.run_id, owner_id: spec.owner_id }))
    record.taskRuns.clear()
    const given = { headers: { ...headers[visitor], upgrade: 'websocket' }, ...(body !== undefined && { body }) }
    statuses[visitor] = (await call(method, realPath(path, spec.run_id), given)).status
  }
  expect(statuses).toEqual(Object.fromEntries(teamVisitors.map((visitor, at) => [visitor, row[at]])))
  // [TEAM9] The audit log of the team lists actions on the team's runs and tasks.
  if (access.who.startsWith('owner of'))
    expect(record.audit.map(({ owner_id }) => owner_id).filter((one) => one !== spec.owner_id)).toEqual([])
})

test('[AUDIT1] every route that writes names its action, or says why it keeps no entry', () => {
  const writing = [...declared].filter(([name]) => !/^(GET|HEAD) /.test(name))
  expect(writing.length).toBeGreaterThan(20)
  expect(writing.filter(([, { audits }]) => audits === undefined).map(([name]) => name)).toEqual([])
  const silent = writing.flatMap(([name, { audits }]) => (typeof audits === 'object' ? [name] : []))
  expect(silent).toEqual([
    'PUT /api/runs/:id/artifacts/:sha256',
    'POST /api/runs/plan',
    'POST /api/exports/verify',
    'POST /api/teams/invitation',
  ])
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
