import type { TeamRole } from '#shared/contract/team-rights.ts'

export type StoredTeam = { id: string; name: string; made_by: string; created_at: string }
export type StoredMember = { owner_id: string; username: string; role: TeamRole; joined_at: string }
/** `username` names the only user who can accept the invitation. Null: any user with the secret can. */
export type StoredInvitation = {
  id: string
  team_id: string
  role: TeamRole
  username: string | null
  expires_at: string
  used_at: string | null
  made_by: string
}
/** A user's membership in a team. */
export type Membership = { id: string; name: string; role: TeamRole }
export type ListedTeam = Omit<Membership, 'role'> & { role: TeamRole | null; created_at: string; members_total: number }
/** `invitations`: those that can still be accepted. */
export type FoundTeam = StoredTeam & { members: StoredMember[]; invitations: StoredInvitation[] }

/** What became of a change: `kept` where it would leave the team without an admin, or while runs of the team are open. */
export type TeamChange = 'done' | 'kept' | 'gone'

/** Database methods for teams. `owner_id` of a team is the owner that its runs, tasks and keys name. */
export type TeamStore = {
  /** Makes a team with its first admin. False where that person has made `most` teams already. */
  createTeam(team: StoredTeam, admin: StoredMember, most: number): Promise<boolean>
  /** Lists the teams of a person by their names; null lists all, at most 200. */
  listTeams(owner_id: string | null): Promise<ListedTeam[]>
  findTeam(id: string, now: string): Promise<FoundTeam | undefined>
  renameTeam(id: string, name: string): Promise<void>
  /** Deletes a team with its tasks and budget, and revokes its keys; `kept` while a run of it is open. Its runs stay. */
  deleteTeam(id: string, owner_id: string): Promise<TeamChange>
  /** Changes a role. Keys of the team that a former admin made are revoked. `kept` for the last admin. */
  changeMember(team: { id: string; owner_id: string }, member: string, role: TeamRole): Promise<TeamChange>
  /** Takes a member out of a team and revokes the keys that the member made for it. `kept` for the last admin. */
  removeMember(team: { id: string; owner_id: string }, member: string): Promise<TeamChange>
  /** Adds an invitation and drops those that have ended. False where `most` are open. */
  createInvitation(invitation: StoredInvitation & { sha256: string }, most: number, now: string): Promise<boolean>
  /** Takes an invitation back. False if the team has no such invitation. */
  revokeInvitation(team_id: string, id: string): Promise<boolean>
  /** Finds an invitation by the hash of its secret, also one that was used or has ended. */
  findInvitation(sha256: string): Promise<(StoredInvitation & { team: string }) | undefined>
  /**
   * Uses an invitation up: at most one call for each succeeds. A member keeps a role that is higher than the
   * invitation's. Undefined where it was used, has ended, is for another person, or where a bound is reached.
   */
  acceptInvitation(sha256: string, member: Omit<StoredMember, 'role'>, bounds: TeamBounds): Promise<Membership | undefined>
}
export type TeamBounds = { members: number; memberships: number }
