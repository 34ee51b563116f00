import { expect, test, vi } from 'vitest'
import { ApiKeyList, CreatedApiKey } from '#shared/contract/api-keys.ts'
import { AuditPage } from '#shared/contract/audit.ts'
import { Budget, BudgetList, holderOf } from '#shared/contract/budget.ts'
import { SeenInvitation, TeamList } from '#shared/contract/team.ts'
import { TeamPlace } from '#shared/contract/team-place.ts'
import { mayInTeam, teamRights, teamRoles } from '#shared/contract/team-rights.ts'
import { asAdmin, bearer } from '../testing/call-app.ts'
import { exampleEnded, exampleModel, exampleSpec } from '../testing/example-records.ts'
import { exampleTask } from '../testing/example-task.ts'
import { openTeam } from '../testing/team-stage.ts'

const run = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'] }
type Call = (method: string, path: string, given?: { body?: unknown; headers?: Record<string, string> }) => Promise<Response>
const codeOf = async (answer: Promise<Response> | Response) => {
  const got = await answer
  return got.ok ? got.status : ((await got.json()) as { code: string }).code
}
const start = async ({ call }: { call: Call }, more: object = {}) => call('POST', '/api/runs', { body: { ...run, ...more } })

test('[TEAM1] a role does what its own word and those below it do', () => {
  const table = teamRoles.map((role) => [role, ...teamRights.map((right) => mayInTeam(role, right))])
  expect(table).toEqual([
    ['viewer', true, false, false],
    ['runner', true, true, false],
    ['admin', true, true, true],
  ])
})

test('[TEAM13] the streams of a team’s open runs end when a member is removed, those of other runs go on', async () => {
  const { ada, team, show, deps } = await openTeam({ grace: 'runner' })
  const grace = (await show()).members.find(({ username }) => username === 'grace')!.id
  const { id } = (await (await start(ada, { team: team.id })).json()) as { id: string }
  await start(ada)
  const changed = vi.spyOn(deps.runs, 'changeReaders')
  expect((await ada.call('DELETE', `/api/teams/${team.id}/members/${grace}`)).status).toBe(200)
  expect(changed.mock.calls).toEqual([[id, 'members']])
})

test('[TEAM4] an invitation shows its team, is accepted once, in time, by the person whom it names, and can be taken back', async () => {
  const { ada, team, invite, join, show, signIn, clock, record } = await openTeam()
  const [grace, eve] = [await signIn('grace'), await signIn('eve')]
  const made = await invite({ role: 'viewer' })
  expect(made.link).toBe(`https://bench.example/join#${made.secret}`)
  expect(JSON.stringify([...record.invitations.values()])).not.toContain(made.secret)
  const look = (browser: typeof ada, secret: string) => browser.call('POST', '/api/teams/invitation', { body: { secret } })
  expect(SeenInvitation.parse(await (await look(grace, made.secret)).json())).toMatchObject({
    team: 'Evaluation',
    role: 'viewer',
    member: null,
  })
  expect(TeamPlace.parse(await (await join(grace, made.secret)).json())).toEqual({ id: team.id, name: 'Evaluation', role: 'viewer' })
  const again = await join(eve, made.secret)
  expect([again.status, ((await again.json()) as { detail: string }).detail]).toEqual([404, expect.stringContaining('accepted before')])
  const named = await invite({ role: 'runner', username: 'Grace' })
  expect([await codeOf(look(eve, named.secret)), await codeOf(join(eve, named.secret)), await codeOf(join(grace, named.secret))]).toEqual([
    'forbidden',
    'forbidden',
    200,
  ])
  const taken = await invite({ role: 'admin' })
  expect((await show()).invitations.map(({ id }) => id)).toEqual([taken.id])
  expect((await ada.call('DELETE', `/api/teams/${team.id}/invitations/${taken.id}`)).status).toBe(200)
  expect(await codeOf(join(eve, taken.secret))).toBe('invitation-not-found')
  const late = await invite({ role: 'viewer' })
  clock.now += 7 * 86_400_000
  expect(await codeOf(join(await signIn('eve'), late.secret))).toBe('invitation-not-found')
  expect((await show(await signIn('ada'))).members.map(({ username, role, you }) => [username, role, you])).toEqual([
    ['ada', 'admin', true],
    ['grace', 'runner', false],
  ])
})

test('[TEAM5] the last admin can neither leave nor be demoted; others leave by themselves, and only admins remove somebody', async () => {
  const { ada, grace, eve, team, show } = await openTeam({ grace: 'viewer', eve: 'runner' })
  const ids = Object.fromEntries((await show()).members.map(({ id, username }) => [username, id]))
  const member = (name: string) => `/api/teams/${team.id}/members/${ids[name]}`
  expect(await codeOf(ada.call('DELETE', member('ada')))).toBe('team-kept')
  expect(await codeOf(ada.call('PATCH', member('ada'), { body: { role: 'runner' } }))).toBe('team-kept')
  expect(await codeOf(eve.call('DELETE', member('grace')))).toBe('forbidden')
  expect(await codeOf(grace.call('DELETE', member('grace')))).toBe(200)
  expect(await codeOf(grace.call('GET', `/api/teams/${team.id}`))).toBe('team-not-found')
  expect(await codeOf(ada.call('PATCH', member('eve'), { body: { role: 'admin' } }))).toBe(200)
  expect(await codeOf(eve.call('DELETE', member('ada')))).toBe(200)
  expect((await show(eve)).members.map(({ username }) => username)).toEqual(['eve'])
})

test('[TEAM2] what is a team’s does not exist for others, a former member among them; a role that does not suffice is 403 and named', async () => {
  const { ada, grace, eve, signIn, team, call, show } = await openTeam({ grace: 'viewer', eve: 'runner' })
  const { id } = (await (await start(ada, { team: team.id })).json()) as { id: string }
  const status = async (browser: { call: Call }, method: string, path: string, headers: Record<string, string> = {}) =>
    (await browser.call(method, `/api/runs/${id}${path}`, { headers })).status
  const kim = await signIn('kim')
  expect([await status(kim, 'GET', ''), await status(kim, 'GET', '/events'), await status(kim, 'POST', '/cancel')]).toEqual([404, 404, 404])
  expect([await status({ call }, 'GET', ''), await status({ call }, 'GET', '', asAdmin)]).toEqual([404, 200])
  expect([await status(grace, 'GET', ''), await status(grace, 'GET', '/events'), await status(eve, 'POST', '/pause')]).toEqual([
    200, 200, 200,
  ])
  const refused = await grace.call('POST', `/api/runs/${id}/cancel`)
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    403,
    'You are a viewer of the team "Evaluation": its runners and admins start and command its runs.',
  ])
  const eve_id = (await show()).members.find(({ username }) => username === 'eve')!.id
  await ada.call('DELETE', `/api/teams/${team.id}/members/${eve_id}`)
  expect([await status(eve, 'GET', ''), await status(eve, 'POST', '/cancel')]).toEqual([404, 404])
})

test('[TEAM3] a run is started for a team by its runners, and shared by its admins alone', async () => {
  const { ada, grace, eve, kim, team, owner_id, record } = await openTeam({ grace: 'viewer', eve: 'runner', kim: 'viewer' })
  const ofTeam = { team: team.id }
  expect(await codeOf(start(grace, ofTeam))).toBe('forbidden')
  expect(await codeOf(start(kim, { team: '99999999-9999-4999-8999-999999999999' }))).toBe('team-not-found')
  expect(await codeOf(start(eve, { ...ofTeam, visibility: 'public' }))).toBe('forbidden')
  const { id } = (await (await start(eve, ofTeam)).json()) as { id: string }
  const { spec } = record.runs.get(id)!
  expect([spec.owner_id, spec.visibility, spec.own_credential]).toEqual([owner_id, 'private', true])
  const plan = (browser: typeof ada) => codeOf(browser.call('POST', '/api/runs/plan', { body: { ...run, ...ofTeam } }))
  expect([await plan(grace), await plan(eve)]).toEqual(['forbidden', 200])
  const patch = (browser: typeof ada, body: object) => codeOf(browser.call('PATCH', `/api/runs/${id}`, { body }))
  expect([await patch(grace, { name: 'x' }), await patch(eve, { name: 'x' }), await patch(eve, { visibility: 'link' })]).toEqual([
    'forbidden',
    200,
    'forbidden',
  ])
  expect(await patch(ada, { visibility: 'link' })).toBe(200)
  const seen = async (browser: typeof ada) => (await browser.call('GET', `/api/runs/${id}`)).json()
  expect(await seen(grace)).toMatchObject({ mine: false, team: { id: team.id, name: 'Evaluation', role: 'viewer' } })
  expect(await seen(eve)).toMatchObject({ mine: true, team: { role: 'runner' } })
})

test('[TEAM8] lists hold what is a person’s own and what is the teams’, and one team alone where it is named', async () => {
  const { ada, grace, signIn, team, owner_id, record } = await openTeam({ grace: 'viewer' })
  const own = (await (await start(grace)).json()) as { id: string }
  const shared = (await (await start(ada, { team: team.id })).json()) as { id: string }
  const anybodys = exampleEnded(exampleSpec({ run_id: '33333333-3333-4333-8333-333333333333', visibility: 'public' }))
  record.runs.set(anybodys.spec.run_id, anybodys)
  record.tasks.set('t', exampleTask({ id: '22222222-2222-4222-8222-222222222222', owner_id }))
  const runs = async (browser: typeof ada, query: string) =>
    ((await (await browser.call('GET', `/api/runs${query}`)).json()) as { runs: { id: string }[] }).runs.map(({ id }) => id).sort()
  expect(await runs(grace, '?mine=true')).toEqual([own.id, shared.id].sort())
  expect(await runs(grace, `?team=${team.id}`)).toEqual([shared.id])
  expect(await runs(ada, '')).toEqual([shared.id, anybodys.spec.run_id].sort())
  const tasks = async (browser: typeof ada, query = '') =>
    ((await (await browser.call('GET', `/api/tasks${query}`)).json()) as { team: unknown }[]).map((task) => task.team)
  const place = { id: team.id, name: 'Evaluation', role: 'viewer' }
  expect([await tasks(grace), await tasks(grace, `?team=${team.id}`)]).toEqual([[place], [place]])
  const eve = await signIn('eve')
  expect([await runs(eve, ''), await tasks(eve)]).toEqual([[anybodys.spec.run_id], []])
  for (const path of ['/api/runs', '/api/tasks', '/api/stats'])
    expect(await codeOf(eve.call('GET', `${path}?team=${team.id}`)), path).toBe('team-not-found')
})

test('[TEAM6] admins make keys that act as the team and spend their account; a key goes with its admin, and a person’s key acts for no team', async () => {
  const { ada, grace, team, owner_id, show, record, call } = await openTeam({ grace: 'runner' })
  const make = (browser: typeof ada, more: object = {}) =>
    browser.call('POST', '/api/keys', { body: { name: 'ci', team: team.id, ...more } })
  expect([await codeOf(make(grace)), await codeOf(make(ada, { scopes: ['admin'] }))]).toEqual(['forbidden', 'forbidden'])
  const members = (await show()).members
  const grace_id = members.find(({ username }) => username === 'grace')!.id
  await ada.call('PATCH', `/api/teams/${team.id}/members/${grace_id}`, { body: { role: 'admin' } })
  const { key } = CreatedApiKey.parse(await (await make(grace)).json())
  const { id } = (await (await call('POST', '/api/runs', { headers: bearer(key), body: run })).json()) as { id: string }
  const { spec } = record.runs.get(id)!
  const [session] = [...record.sessions.values()].filter((one) => one.owner_id === grace_id)
  expect([spec.owner_id, spec.own_credential]).toEqual([owner_id, true])
  expect(spec.budgets).toEqual([owner_id, `person:${grace_id}`, expect.stringMatching(/^key:/)])
  expect(session?.scopes).toContain('chutes:invoke')
  expect((await ada.call('POST', `/api/runs/${id}/pause`)).status).toBe(200)
  const keys = async (browser: typeof ada) =>
    ApiKeyList.parse(await (await browser.call('GET', `/api/keys?team=${team.id}`)).json()).keys.map(({ name, owner }) => [name, owner])
  expect((await keys(ada)).length).toBe(1)
  const own = CreatedApiKey.parse(await (await ada.call('POST', '/api/keys', { body: { name: 'own' } })).json())
  expect((await call('GET', `/api/runs/${id}`, { headers: bearer(own.key) })).status).toBe(404)
  expect(await codeOf(call('POST', '/api/runs', { headers: bearer(own.key), body: { ...run, team: team.id } }))).toBe('team-not-found')
  await ada.call('PATCH', `/api/teams/${team.id}/members/${grace_id}`, { body: { role: 'viewer' } })
  expect((await call('GET', '/api/runs', { headers: bearer(key) })).status).toBe(401)
})

test('[TEAM7] the starter pays for a run of a team, and the budgets of team and person both count it', async () => {
  const { ada, grace, team, owner_id, show, record, deps, call } = await openTeam({ grace: 'runner' })
  const grace_id = (await show()).members.find(({ username }) => username === 'grace')!.id
  const set = (browser: { call: Call }, limits: object, headers: Record<string, string> = {}) =>
    browser.call('PUT', `/api/budgets/team/${team.id}`, { body: limits, headers })
  expect([await codeOf(set(grace, { day_usd: 1 })), await codeOf(set(ada, { day_usd: 1 }))]).toEqual(['forbidden', 200])
  const { id } = (await (await start(grace, { team: team.id })).json()) as { id: string }
  const { spec } = record.runs.get(id)!
  expect(spec.budgets).toEqual([owner_id, holderOf('person', grace_id)])
  const [session] = [...record.sessions.values()].filter((one) => one.owner_id === grace_id)
  expect(await deps.seal.open(record.credentials.get(id)!, `credential|${owner_id}|${id}`)).toBe(`session ${session!.id}`)
  const sealed: (string | null | undefined)[] = []
  const { command } = deps.runs
  deps.runs.command = (...given) => {
    sealed.push(given[2])
    return command(...given)
  }
  for (const name of ['pause', 'resume']) expect((await ada.call('POST', `/api/runs/${id}/${name}`)).status, name).toBe(200)
  const [hers] = [...record.sessions.values()].filter((one) => one.username === 'ada')
  expect(await deps.seal.open(sealed.at(-1)!, `credential|${owner_id}|${id}`)).toBe(`session ${hers!.id}`)
  const spent = { run_id: 'x', turn: 1, spent_usd: 1, lost_usd: 0, bound_usd: 1, need_usd: 1, want_usd: 1 }
  await deps.budgets.take(holderOf('team', team.id), spent)
  const refused = await start(grace, { team: team.id })
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    402,
    expect.stringContaining('The budget of the team for today is used up'),
  ])
  expect((await start(grace)).status).toBe(201) // a run of her own is not the team's
  const budgets = BudgetList.parse(await (await grace.call('GET', '/api/budgets')).json()).budgets
  expect(budgets.find(({ kind }) => kind === 'team')).toMatchObject({
    id: team.id,
    name: 'Evaluation',
    set_by: 'owner',
    day: { limit_usd: 1, spent_usd: 1 },
  })
  expect(Budget.parse(await (await set({ call }, { day_usd: 2 }, asAdmin)).json())).toMatchObject({ set_by: 'operator' })
  expect(await codeOf(set(ada, { day_usd: 3 }))).toBe('forbidden')
})

test('[TEAM9] admins read and export what was done in their team and to its things, by whom; others do not', async () => {
  const { ada, grace, team, owner_id } = await openTeam({ grace: 'runner' })
  const { id } = (await (await start(grace, { team: team.id })).json()) as { id: string }
  await grace.call('POST', `/api/runs/${id}/cancel`)
  await start(grace)
  const { entries } = AuditPage.parse(await (await ada.call('GET', `/api/audit?team=${team.id}`)).json())
  expect(entries.map(({ action }) => action)).toEqual(['run.cancel', 'run.create', 'team.join', 'invitation.create', 'team.create'])
  expect(new Set(entries.map((one) => one.owner_id))).toEqual(new Set([owner_id]))
  const file = await (await ada.call('GET', `/api/audit/export?format=csv&team=${team.id}`)).text()
  expect(file.trim().split('\r\n')).toHaveLength(1 + entries.length)
  for (const path of ['/api/audit', '/api/audit/export'])
    expect(await codeOf(grace.call('GET', `${path}?team=${team.id}`))).toBe('forbidden')
})

test('[TEAM10] a team is deleted once no run of it is open, and its runs are then the operator’s to read', async () => {
  const { ada, grace, team, owner_id, record, call } = await openTeam({ grace: 'admin' })
  const { id } = (await (await start(ada, { team: team.id })).json()) as { id: string }
  const remove = () => codeOf(ada.call('DELETE', `/api/teams/${team.id}`))
  expect(await remove()).toBe('team-kept')
  record.runs.set(id, exampleEnded(exampleSpec({ run_id: id, owner_id, visibility: 'private' })))
  expect(await remove()).toBe(200)
  expect(TeamList.parse(await (await grace.call('GET', '/api/teams')).json()).teams).toEqual([])
  expect([(await ada.call('GET', `/api/runs/${id}`)).status, (await call('GET', `/api/runs/${id}`, { headers: asAdmin })).status]).toEqual([
    404, 200,
  ])
})

test('[TEAM11] one person makes ten teams at most', async () => {
  const { ada } = await openTeam()
  const make = () => codeOf(ada.call('POST', '/api/teams', { body: { name: 'Another' } }))
  for (let made = 1; made < 10; made++) expect(await make()).toBe(201)
  expect(await make()).toBe('team-bound')
})
