import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredInvitation } from '#db/team-store.ts'
import { Done } from '#shared/contract/api.ts'
import { CreatedInvitation, invitationDays, mostInvitations, mostMembers, mostMemberships, SeenInvitation } from '#shared/contract/team.ts'
import { TeamPlace, TeamRoleName } from '#shared/contract/team-place.ts'
import type { AppEnv } from '../app-env.ts'
import { newSecret, sha256Hex } from '../auth/secret.ts'
import { placeIn } from '../auth/team-access.ts'
import { teamOwnerId } from '../auth/team-owner.ts'
import type { Deps, SignedIn } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { ownOrigin } from './own-origin.ts'
import { toInvitation } from './team-view.ts'

const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const bodies = refusals('validation', 'bad-json', 'unsupported-media-type', 'body-too-large')

const Invite = z.strictObject({
  role: TeamRoleName.describe('The role that it gives'),
  username: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullish()
    .describe('The only person who can accept it, by the name at Chutes; null for anybody who has the link'),
})
const create = declareRoute({
  method: 'post',
  audits: 'invitation.create',
  path: '/api/teams/{id}/invitations',
  access: { who: 'member of the team', right: 'manage' },
  cost: 'cheap',
  summary: 'Make an invitation: a link that is shown this once and works once, for seven days',
  request: { params: z.object({ id: z.string() }), ...jsonBody(Invite, { role: 'viewer' }) },
  responses: { 201: json(CreatedInvitation, 'The invitation'), ...refused, ...bodies, ...refusals('team-not-found', 'team-bound') },
})
const revoke = declareRoute({
  method: 'delete',
  audits: 'invitation.revoke',
  path: '/api/teams/{id}/invitations/{invitation}',
  access: { who: 'member of the team', right: 'manage' },
  cost: 'cheap',
  summary: 'Take an invitation back',
  request: { params: z.object({ id: z.string(), invitation: z.string().max(100) }) },
  responses: { 200: json(Done, 'Taken back'), ...refused, ...refusals('team-not-found', 'invitation-not-found') },
})
const Secret = z.strictObject({ secret: z.string().min(1).max(200).describe('What stands behind `#` in the link') })
const example = { secret: '0'.repeat(64) }
const look = declareRoute({
  method: 'post',
  audits: { none: 'shows an invitation and changes nothing' },
  path: '/api/teams/invitation',
  access: { who: 'signed in' },
  cost: 'cheap',
  summary: 'Read which team and role an invitation is for',
  request: jsonBody(Secret, example),
  responses: { 200: json(SeenInvitation, 'The invitation'), ...refused, ...bodies, ...refusals('invitation-not-found') },
})
const join = declareRoute({
  method: 'post',
  audits: 'team.join',
  path: '/api/teams/join',
  access: { who: 'signed in' },
  cost: 'cheap',
  summary: 'Accept an invitation',
  description: 'An invitation is accepted once. A member keeps a role that is higher than the one that it gives.',
  request: jsonBody(Secret, example),
  responses: {
    200: json(TeamPlace, 'The team, and your role in it'),
    ...refused,
    ...bodies,
    ...refusals('invitation-not-found', 'team-bound'),
  },
})

export function teamInvitationRoutes(deps: Deps) {
  const { store } = deps
  return new OpenAPIHono<AppEnv>()
    .openapi(create, async (c) => {
      const { role, username = null } = c.req.valid('json')
      const { id: team_id } = c.get('team')
      const secret = newSecret()
      const now = deps.now()
      const expires_at = new Date(now.getTime() + invitationDays * 86_400_000).toISOString()
      const invitation: StoredInvitation = {
        id: deps.newId(),
        team_id,
        role,
        username,
        expires_at,
        used_at: null,
        made_by: c.get('owner_id'),
      }
      const stored = { ...invitation, sha256: await sha256Hex(secret) }
      if (!(await store.createInvitation(stored, mostInvitations, now.toISOString())))
        throw new Problem('team-bound', `The team has ${mostInvitations} open invitations, and may have no more. Take some back.`)
      c.set('touched', {
        target: `invitation:${invitation.id}`,
        owner_id: teamOwnerId(team_id),
        detail: { role, ...(username !== null && { name: username }) },
      })
      const link = `${ownOrigin(c, deps)}/join#${secret}`
      return c.json({ ...toInvitation(invitation), secret, link }, 201)
    })
    .openapi(revoke, async (c) => {
      const { invitation } = c.req.valid('param')
      const { id } = c.get('team')
      if (!(await store.revokeInvitation(id, invitation))) throw new Problem('invitation-not-found', 'The team has no such invitation.')
      c.set('touched', { target: `invitation:${invitation}`, owner_id: teamOwnerId(id) })
      return c.json({ success: true, message: 'Taken back: its link works no more' }, 200)
    })
    .openapi(look, async (c) => {
      const { team, team_id, role, expires_at } = await getInvitation(c.req.valid('json').secret, c.get('session'), deps)
      const member = placeIn(c.get('principal'), teamOwnerId(team_id))?.role ?? null
      return c.json({ team, role, expires_at, member }, 200)
    })
    .openapi(join, async (c) => {
      const { secret } = c.req.valid('json')
      const [session, owner_id] = [c.get('session'), c.get('owner_id')]
      const found = await getInvitation(secret, session, deps)
      const member = { owner_id, username: session.user.username, joined_at: deps.now().toISOString() }
      const bounds = { members: mostMembers, memberships: mostMemberships }
      const joined = await store.acceptInvitation(await sha256Hex(secret), member, bounds)
      if (!joined) {
        await getInvitation(secret, session, deps) // somebody else was quicker
        throw new Problem('team-bound', `A team has at most ${mostMembers} members, and one person is in at most ${mostMemberships} teams.`)
      }
      const detail = { name: member.username, role: joined.role }
      c.set('touched', { target: `team:${joined.id}`, owner_id: teamOwnerId(found.team_id), detail })
      return c.json(joined, 200)
    })
}

/** An invitation that this person can accept now. Throws `invitation-not-found` and `forbidden`. */
async function getInvitation(secret: string, { user }: SignedIn, { store, now }: Deps) {
  const found = await store.findInvitation(await sha256Hex(secret))
  const gone = !found
    ? 'There is no such invitation, or it was taken back.'
    : found.used_at !== null
      ? 'This invitation was accepted before; each works once.'
      : found.expires_at <= now().toISOString()
        ? `This invitation has ended: each works for ${invitationDays} days.`
        : null
  if (!found || gone !== null) throw new Problem('invitation-not-found', `${gone} Ask an admin of the team for another link.`)
  if (found.username !== null && found.username.toLowerCase() !== user.username.toLowerCase())
    throw new Problem('forbidden', `This invitation is for somebody else, and you are signed in as ${user.username}.`)
  return found
}
