import type { StoredKey } from '#db/store.ts'
import type { Membership, StoredInvitation, StoredMember, StoredTeam, TeamStore } from '#db/team-store.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { teamRoles } from '#shared/contract/team-rights.ts'
import type { emptyTasks } from './memory-tasks.ts'

type Member = StoredMember & { team_id: string }
type Invitation = StoredInvitation & { sha256: string }

export const emptyTeams = () => ({
  teams: new Map<string, StoredTeam>(),
  members: [] as Member[],
  invitations: new Map<string, Invitation>(),
})
type Held = ReturnType<typeof emptyTeams> & {
  runs: Map<string, { spec: { owner_id: string }; head: { status: Parameters<typeof isTerminal>[0] } }>
  keys: Map<string, StoredKey & { sha256: string }>
  budgets: Map<string, unknown>
} & Pick<ReturnType<typeof emptyTasks>, 'tasks'>

/** The teams of a person, as `findSession` tells them. */
export function teamsOf({ teams, members }: ReturnType<typeof emptyTeams>, owner_id: string): Membership[] {
  const own = members.filter((one) => one.owner_id === owner_id)
  return own.map(({ team_id, role }) => ({ id: team_id, name: teams.get(team_id)!.name, role })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Teams kept in memory. */
export function memoryTeams(record: Held): TeamStore {
  const { teams, members, invitations, keys } = record
  const of = (team_id: string) => members.filter((one) => one.team_id === team_id)
  const bare = ({ team_id: _, ...member }: Member): StoredMember => member
  const revoke = (wanted: (key: StoredKey) => boolean): void => {
    for (const [id, key] of keys) if (wanted(key)) keys.set(id, { ...key, revoked_at: key.revoked_at ?? '2026-01-02T03:04:05.000Z' })
  }
  const change = (team: { id: string; owner_id: string }, owner_id: string, role: StoredMember['role'] | null) => {
    const member = of(team.id).find((one) => one.owner_id === owner_id)
    if (!member) return 'gone' as const
    const others = of(team.id).some((one) => one.role === 'admin' && one !== member)
    if (member.role === 'admin' && role !== 'admin' && !others) return 'kept' as const
    if (role === null) members.splice(members.indexOf(member), 1)
    else member.role = role
    if (role !== 'admin') revoke((key) => key.owner_id === team.owner_id && key.made_by === owner_id)
    return 'done' as const
  }
  return {
    async createTeam(team, admin, most) {
      if ([...teams.values()].filter((one) => one.made_by === team.made_by).length >= most) return false
      teams.set(team.id, team)
      members.push({ ...admin, team_id: team.id })
      return true
    },
    async listTeams(owner_id) {
      const listed = owner_id === null ? [...teams.values()].map((one) => ({ ...one, role: null })) : teamsOf(record, owner_id)
      return listed.map(({ id, name, role }) => ({
        ...{ id, name, role },
        created_at: teams.get(id)!.created_at,
        members_total: of(id).length,
      }))
    },
    async findTeam(id, now) {
      const team = teams.get(id)
      const open = [...invitations.values()].filter((one) => one.team_id === id && one.used_at === null && one.expires_at > now)
      const higher = (a: StoredMember, b: StoredMember) => teamRoles.indexOf(b.role) - teamRoles.indexOf(a.role)
      return team && { ...team, members: of(id).map(bare).sort(higher), invitations: open.map(({ sha256: _, ...one }) => one) }
    },
    renameTeam: async (id, name) => void teams.set(id, { ...teams.get(id)!, name }),
    async deleteTeam(id, owner_id) {
      if (!teams.has(id)) return 'gone'
      if ([...record.runs.values()].some(({ spec, head }) => spec.owner_id === owner_id && !isTerminal(head.status))) return 'kept'
      for (const member of of(id)) members.splice(members.indexOf(member), 1)
      for (const [key, one] of invitations) if (one.team_id === id) invitations.delete(key)
      for (const [key, one] of record.tasks) if (one.owner_id === owner_id) record.tasks.delete(key)
      revoke((key) => key.owner_id === owner_id)
      record.budgets.delete(owner_id)
      teams.delete(id)
      return 'done'
    },
    changeMember: async (team, member, role) => change(team, member, role),
    removeMember: async (team, member) => change(team, member, null),
    async createInvitation(invitation, most, now) {
      for (const [id, one] of invitations) if (one.team_id === invitation.team_id && one.expires_at <= now) invitations.delete(id)
      if ([...invitations.values()].filter((one) => one.team_id === invitation.team_id && one.used_at === null).length >= most) return false
      invitations.set(invitation.id, invitation)
      return true
    },
    revokeInvitation: async (team_id, id) => invitations.get(id)?.team_id === team_id && invitations.delete(id),
    async findInvitation(sha256) {
      const found = [...invitations.values()].find((one) => one.sha256 === sha256)
      return found && { ...found, team: teams.get(found.team_id)!.name }
    },
    async acceptInvitation(sha256, { owner_id, username, joined_at }, bounds) {
      const found = [...invitations.values()].find((one) => one.sha256 === sha256)
      if (!found || found.used_at !== null || found.expires_at <= joined_at) return undefined
      if (found.username !== null && found.username.toLowerCase() !== username.toLowerCase()) return undefined
      const { team_id } = found
      if (of(team_id).length >= bounds.members || members.filter((one) => one.owner_id === owner_id).length >= bounds.memberships)
        return undefined
      found.used_at = joined_at
      const before = of(team_id).find((one) => one.owner_id === owner_id)
      const role = teamRoles[Math.max(teamRoles.indexOf(found.role), before ? teamRoles.indexOf(before.role) : 0)]!
      if (before) Object.assign(before, { role, username })
      else members.push({ team_id, owner_id, username, joined_at, role })
      return { id: team_id, name: teams.get(team_id)!.name, role }
    },
  }
}
