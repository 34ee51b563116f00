import type { TeamPlace } from '#shared/contract/team-place.ts'
import { mayInTeam, type TeamRight } from '#shared/contract/team-rights.ts'
import type { Principal, TeamOfPrincipal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { teamOwnerId } from './team-owner.ts'

type Member = Pick<Principal, 'owner_id' | 'teams'>

/** The team of a principal that an owner id stands for; undefined for all other owners. */
export const placeIn = ({ teams }: Member, owner_id: string): TeamOfPrincipal | undefined => teams.find((one) => one.owner_id === owner_id)

/** A team of a principal as the API tells of it. */
export const toTeamPlace = ({ id, name, role }: TeamOfPrincipal): TeamPlace => ({ id, name, role })

/** The team of a principal that a thing of this owner belongs to; null for no team. */
export function teamFor(principal: Member, owner_id: string): TeamPlace | null {
  const place = placeIn(principal, owner_id)
  return place ? toTeamPlace(place) : null
}

/** Whether a principal does that with things of this owner: with own ones, or as the role in a team allows. */
export function mayDo(principal: Member, owner_id: string, right: TeamRight): boolean {
  if (principal.owner_id === owner_id) return true
  const place = placeIn(principal, owner_id)
  return place !== undefined && mayInTeam(place.role, right)
}

/** Owners whose private things a principal reads: its own id and its teams; none for a key that may not read. */
export function ownersOf(principal: Pick<Principal, 'owner_id' | 'teams' | 'scopes'>): string[] {
  const { owner_id, teams, scopes } = principal
  if (owner_id === null || !scopes.includes('runs:read')) return []
  return [owner_id, ...teams.flatMap((one) => (mayInTeam(one.role, 'read') ? one.owner_id : []))]
}

/** Owners whose keys and budgets a signed-in user decides about. */
export const managedBy = (principal: Pick<Principal, 'teams'>, owner_id: string): string[] => [
  owner_id,
  ...principal.teams.flatMap((one) => (mayInTeam(one.role, 'manage') ? one.owner_id : [])),
]

/**
 * The owner that a request acts for: the team that it names, or the principal. Operators read things of
 * every team. Throws `team-not-found` for a team of others and `forbidden` where the role does not suffice.
 */
export function actingOwner(
  principal: Pick<Principal, 'teams' | 'scopes'> & { owner_id: string },
  team: string | null | undefined,
  right: TeamRight,
): string {
  if (team == null) return principal.owner_id
  const owner_id = teamOwnerId(team.toLowerCase())
  if (mayDo(principal, owner_id, right) || (right === 'read' && principal.scopes.includes('admin'))) return owner_id
  const place = placeIn(principal, owner_id)
  if (!place) throw noTeam(team)
  throw roleProblem(place, right)
}

export const noTeam = (id: string): Problem =>
  new Problem('team-not-found', `You are in no team ${id.slice(0, 80)}. GET /api/teams lists yours; an API key acts for its own team only.`)

const needed: Record<TeamRight, string> = {
  read: 'members read its things',
  work: 'its runners and admins start and command its runs',
  manage: 'its admins decide that',
}

/** The refusal of a member whose role does not suffice. */
export const roleProblem = ({ name, role }: Pick<TeamOfPrincipal, 'name' | 'role'>, right: TeamRight): Problem =>
  new Problem('forbidden', `You are a ${role} of the team ${JSON.stringify(name)}: ${needed[right]}.`)
