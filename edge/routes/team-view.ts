import type { FoundTeam, StoredInvitation } from '#db/team-store.ts'
import type { TeamDetail, TeamInvitation } from '#shared/contract/team.ts'
import { TeamId } from '#shared/contract/team-place.ts'
import { mayInTeam, type TeamRight } from '#shared/contract/team-rights.ts'
import { actingOwner, mayDo, noTeam, placeIn, roleProblem } from '../auth/team-access.ts'
import { teamOwnerId } from '../auth/team-owner.ts'
import type { Deps, Principal } from '../deps.ts'

/** A team of this visitor where his role suffices, or any for an operator. Those of others do not exist for him. */
export async function getTeam(id: string, right: TeamRight, principal: Principal, deps: Pick<Deps, 'store' | 'now'>): Promise<FoundTeam> {
  const owner_id = teamOwnerId(id.toLowerCase())
  const place = placeIn(principal, owner_id)
  const operates = principal.scopes.includes('admin')
  if (!TeamId.safeParse(id).success || (!place && !operates)) throw noTeam(id)
  if (place && !operates && !mayDo(principal, owner_id, right)) throw roleProblem(place, right)
  const found = await deps.store.findTeam(id.toLowerCase(), deps.now().toISOString())
  if (!found) throw noTeam(id)
  return found
}

/**
 * Whose keys or audit log a request is about: the team that it names, where the role suffices, else `whose`,
 * which is the signed-in user and null for an operator.
 */
export async function getManaged(
  team: string | undefined,
  whose: string | null,
  principal: Principal,
  deps: Pick<Deps, 'store' | 'now'>,
): Promise<string | null> {
  if (team === undefined) return whose
  if (whose !== null) return actingOwner({ ...principal, owner_id: whose }, team, 'manage')
  return teamOwnerId((await getTeam(team, 'manage', principal, deps)).id)
}

/** A team in the eyes of this visitor: invitations are told to those who may take them back. */
export function toTeamDetail({ id, name, created_at, members, invitations }: FoundTeam, principal: Principal): TeamDetail {
  const role = placeIn(principal, teamOwnerId(id))?.role ?? null
  const manages = role === null ? principal.scopes.includes('admin') : mayInTeam(role, 'manage')
  return {
    ...{ id, name, role, created_at, members_total: members.length },
    members: members.map(({ owner_id, ...one }) => ({ id: owner_id, ...one, you: owner_id === principal.owner_id })),
    invitations: manages ? invitations.map(toInvitation) : [],
  }
}

export const toInvitation = ({ id, role, username, expires_at }: StoredInvitation): TeamInvitation => ({ id, role, username, expires_at })
