import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Done } from '#shared/contract/api.ts'
import { mostTeamsMade, TeamDetail, TeamList, TeamName } from '#shared/contract/team.ts'
import { TeamRoleName } from '#shared/contract/team-place.ts'
import type { AppEnv } from '../app-env.ts'
import { mayDo, roleProblem } from '../auth/team-access.ts'
import { teamOwnerId } from '../auth/team-owner.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { toTeamDetail } from './team-view.ts'

const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const bodies = refusals('validation', 'bad-json', 'unsupported-media-type', 'body-too-large')
const params = z.object({ id: z.string() })
const NamedTeam = z.strictObject({ name: TeamName.describe('Name of the team') })

const list = declareRoute({
  method: 'get',
  path: '/api/teams',
  access: { who: 'signed in or operator' },
  cost: 'cheap',
  summary: 'Your teams by their names; for the operator all, 200 at most',
  responses: { 200: json(TeamList, 'The teams'), ...refused },
})
const create = declareRoute({
  method: 'post',
  audits: 'team.create',
  path: '/api/teams',
  access: { who: 'signed in' },
  cost: 'cheap',
  summary: 'Make a team; you are its first admin',
  description:
    'A team owns runs, tasks, keys and a budget. Viewers read its things, runners also start and command its runs, admins also decide about members, keys, budgets, visibility and deletion.',
  request: jsonBody(NamedTeam, { name: 'Evaluation' }),
  responses: { 201: json(TeamDetail, 'The team'), ...refused, ...bodies, ...refusals('team-bound') },
})
const show = declareRoute({
  method: 'get',
  path: '/api/teams/{id}',
  access: { who: 'member of the team', right: 'read' },
  cost: 'cheap',
  summary: 'A team with its members, and for its admins its open invitations',
  request: { params },
  responses: { 200: json(TeamDetail, 'The team'), ...refused, ...refusals('team-not-found') },
})
const rename = declareRoute({
  method: 'patch',
  audits: 'team.change',
  path: '/api/teams/{id}',
  access: { who: 'member of the team', right: 'manage' },
  cost: 'cheap',
  summary: 'Rename a team',
  request: { params, ...jsonBody(NamedTeam, { name: 'Evaluation' }) },
  responses: { 200: json(TeamDetail, 'The team'), ...refused, ...bodies, ...refusals('team-not-found') },
})
const remove = declareRoute({
  method: 'delete',
  audits: 'team.delete',
  path: '/api/teams/{id}',
  access: { who: 'member of the team', right: 'manage' },
  cost: 'cheap',
  summary: 'Delete a team of which no run is open',
  description:
    'Its tasks, invitations and budget are deleted and its keys revoked. Its runs stay as they are: private ones are then readable by operators alone.',
  request: { params },
  responses: { 200: json(Done, 'Deleted'), ...refused, ...refusals('team-not-found', 'team-kept') },
})
const memberParams = z.object({ id: z.string(), member: z.string().max(200) })
const changeMember = declareRoute({
  method: 'patch',
  audits: 'member.change',
  path: '/api/teams/{id}/members/{member}',
  access: { who: 'member of the team', right: 'manage' },
  cost: 'cheap',
  summary: 'Change what a member may do',
  description: 'Keys of the team that a former admin made are revoked at once. The last admin stays one.',
  request: { params: memberParams, ...jsonBody(z.strictObject({ role: TeamRoleName.describe('The new role') }), { role: 'runner' }) },
  responses: { 200: json(Done, 'Changed'), ...refused, ...bodies, ...refusals('team-not-found', 'not-found', 'team-kept') },
})
const removeMember = declareRoute({
  method: 'delete',
  audits: 'member.remove',
  path: '/api/teams/{id}/members/{member}',
  access: { who: 'member of the team', right: 'read' },
  cost: 'cheap',
  summary: 'Take a member out of a team; every member may take out himself',
  description:
    'Keys of the team that the member made are revoked at once. Runs that the member started go on, and the member’s account goes on paying for them: cancel them first where that is not wanted.',
  request: { params: memberParams },
  responses: { 200: json(Done, 'No member any more'), ...refused, ...refusals('team-not-found', 'not-found', 'team-kept') },
})

export function teamRoutes(deps: Deps) {
  const { store } = deps
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => c.json({ teams: await store.listTeams(c.get('whose')) }, 200))
    .openapi(create, async (c) => {
      const { name } = c.req.valid('json')
      const [owner_id, at] = [c.get('owner_id'), deps.now().toISOString()]
      const team = { id: deps.newId(), name, made_by: owner_id, created_at: at }
      const admin = { owner_id, username: c.get('session').user.username, role: 'admin' as const, joined_at: at }
      if (!(await store.createTeam(team, admin, mostTeamsMade)))
        throw new Problem(
          'team-bound',
          `You have made ${mostTeamsMade} teams, and nobody may have made more. Delete one that is not needed.`,
        )
      const place = { id: team.id, owner_id: teamOwnerId(team.id), name, role: 'admin' as const }
      c.set('touched', { target: `team:${team.id}`, owner_id: place.owner_id, detail: { name } })
      const principal = { ...c.get('principal'), teams: [place] }
      return c.json(toTeamDetail({ ...team, members: [admin], invitations: [] }, principal), 201)
    })
    .openapi(show, (c) => c.json(toTeamDetail(c.get('team'), c.get('principal')), 200))
    .openapi(rename, async (c) => {
      const { name } = c.req.valid('json')
      const { id } = c.get('team')
      await store.renameTeam(id, name)
      c.set('touched', { target: `team:${id}`, owner_id: teamOwnerId(id), detail: { name } })
      return c.json(toTeamDetail({ ...c.get('team'), name }, c.get('principal')), 200)
    })
    .openapi(remove, async (c) => {
      const { id, name } = c.get('team')
      const done = await store.deleteTeam(id, teamOwnerId(id))
      if (done === 'kept') throw new Problem('team-kept', 'A run of this team is open. Cancel its runs or wait for their ends.')
      await deps.budgets.set(teamOwnerId(id), { day_usd: null, month_usd: null })
      c.set('touched', { target: `team:${id}`, owner_id: teamOwnerId(id), detail: { name } })
      return c.json({ success: true, message: 'Team deleted' }, 200)
    })
    .openapi(changeMember, async (c) => {
      const { member } = c.req.valid('param')
      const { role } = c.req.valid('json')
      const { id, members } = c.get('team')
      const of = { id, owner_id: teamOwnerId(id) }
      requireDone(await store.changeMember(of, member, role))
      const username = members.find((one) => one.owner_id === member)?.username
      c.set('touched', { target: `member:${member}`, owner_id: of.owner_id, detail: { name: username, role } })
      return c.json({ success: true, message: 'Role changed' }, 200)
    })
    .openapi(removeMember, async (c) => {
      const { member } = c.req.valid('param')
      const { id, members } = c.get('team')
      const of = { id, owner_id: teamOwnerId(id) }
      const principal = c.get('principal')
      const place = principal.teams.find((one) => one.id === id)
      if (place && member !== principal.owner_id && !mayDo(principal, of.owner_id, 'manage')) throw roleProblem(place, 'manage')
      requireDone(await store.removeMember(of, member))
      const open = (await store.listOpenRuns()).filter(({ spec }) => spec.owner_id === of.owner_id)
      // A run whose object does not answer has no stream to end.
      await Promise.allSettled(open.map(({ spec }) => deps.runs.changeReaders(spec.run_id, 'members')))
      const username = members.find((one) => one.owner_id === member)?.username
      c.set('touched', { target: `member:${member}`, owner_id: of.owner_id, detail: { name: username } })
      return c.json({ success: true, message: 'No member any more' }, 200)
    })
}

function requireDone(done: 'done' | 'kept' | 'gone'): void {
  if (done === 'gone') throw new Problem('not-found', 'The team has no such member.')
  if (done === 'kept') throw new Problem('team-kept', 'A team keeps an admin. Make somebody else an admin first, or delete the team.')
}
