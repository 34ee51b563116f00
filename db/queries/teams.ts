import { and, asc, desc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm'
import type { TeamRole } from '#shared/contract/team-rights.ts'
import type { Database } from '../connect.ts'
import { teamInvitations, teamMembers, teams } from '../schema/teams.ts'
import type { FoundTeam, ListedTeam, StoredMember, StoredTeam, TeamChange } from '../team-store.ts'
import { knownRun as knownId } from './match.ts'
import { openStatuses } from './runs.ts'
import { invitationColumns } from './team-invitations.ts'

const { team_id: _, ...member } = getTableColumns(teamMembers)

/** Most teams that an operator's list returns. */
const mostListed = 200
const open = sql.raw(openStatuses.map((status) => `'${status}'`).join(', '))

export async function createTeam(db: Database, team: StoredTeam, admin: StoredMember, most: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with made as (
      insert into teams (id, name, made_by, created_at) select ${team.id}::uuid, ${team.name}, ${team.made_by}, ${team.created_at}::timestamptz
      where (select count(*) from teams t where t.made_by = ${team.made_by}) < ${most}::int returning id
    )
    insert into team_members (team_id, owner_id, username, role, joined_at)
    select id, ${admin.owner_id}, ${admin.username}, ${admin.role}::team_role, ${admin.joined_at}::timestamptz from made returning team_id`)
  return rows.length > 0
}

export async function listTeams(db: Database, owner_id: string | null): Promise<ListedTeam[]> {
  const members_total = sql<number>`(select count(*)::int from team_members m where m.team_id = teams.id)`
  const columns = { id: teams.id, name: teams.name, created_at: teams.created_at, members_total }
  if (owner_id === null) {
    const all = await db.select(columns).from(teams).orderBy(asc(teams.name), asc(teams.id)).limit(mostListed)
    return all.map((team) => ({ ...team, role: null }))
  }
  return db
    .select({ ...columns, role: teamMembers.role })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.team_id))
    .where(eq(teamMembers.owner_id, owner_id))
    .orderBy(asc(teams.name), asc(teams.id))
    .limit(mostListed)
}

export async function findTeam(db: Database, id: string, now: string): Promise<FoundTeam | undefined> {
  const isOpen = and(eq(teamInvitations.team_id, knownId(id)), isNull(teamInvitations.used_at), gt(teamInvitations.expires_at, now))
  const [[team], members, invitations] = await db.batch([
    db
      .select()
      .from(teams)
      .where(eq(teams.id, knownId(id))),
    db
      .select(member)
      .from(teamMembers)
      .where(eq(teamMembers.team_id, knownId(id)))
      .orderBy(desc(teamMembers.role), asc(teamMembers.joined_at), asc(teamMembers.owner_id)),
    db.select(invitationColumns).from(teamInvitations).where(isOpen).orderBy(asc(teamInvitations.expires_at), asc(teamInvitations.id)),
  ])
  return team && { ...team, members, invitations }
}

export async function renameTeam(db: Database, id: string, name: string): Promise<void> {
  await db
    .update(teams)
    .set({ name })
    .where(eq(teams.id, knownId(id)))
}

export async function deleteTeam(db: Database, id: string, owner_id: string): Promise<TeamChange> {
  const { rows } = await db.execute(sql`
    with gone as (
      delete from teams where id = ${knownId(id)}::uuid
        and not exists (select from runs r where r.owner_id = ${owner_id} and r.status in (${open})) returning id
    ), revoked as (
      update keys set revoked_at = now() where owner_id = ${owner_id} and revoked_at is null and exists (select from gone)
    ), dropped as (
      delete from tasks where owner_id = ${owner_id} and exists (select from gone)
    ), unlimited as (
      delete from budgets where holder = ${owner_id} and exists (select from gone)
    )
    select id from gone`)
  if (rows.length > 0) return 'done'
  const [left] = await db
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.id, knownId(id)))
  return left ? 'kept' : 'gone'
}

type Of = { id: string; owner_id: string }

/** Whether the team keeps an admin without this member. The team's row is locked before, so that two admins do not pass each other. */
const keepsAdmin = sql`(m.role <> 'admin' or exists (
  select from team_members o where o.team_id = m.team_id and o.role = 'admin' and o.owner_id <> m.owner_id))`

const revokedOf = (team: Of, member: string) => sql`revoked as (
  update keys set revoked_at = now() where owner_id = ${team.owner_id} and made_by = ${member} and revoked_at is null
    and exists (select from changed where role <> 'admin'))`

export async function changeMember(db: Database, team: Of, member: string, role: TeamRole): Promise<TeamChange> {
  return changed(
    db,
    team,
    member,
    sql`with changed as (
      update team_members m set role = ${role}::team_role where m.team_id = ${knownId(team.id)}::uuid and m.owner_id = ${member}
        and (${role} = 'admin' or ${keepsAdmin}) returning m.role
    ), ${revokedOf(team, member)} select role from changed`,
  )
}

export async function removeMember(db: Database, team: Of, member: string): Promise<TeamChange> {
  return changed(
    db,
    team,
    member,
    sql`with left_team as (
      delete from team_members m where m.team_id = ${knownId(team.id)}::uuid and m.owner_id = ${member} and ${keepsAdmin} returning m.role
    ), changed as (select 'none' as role from left_team), ${revokedOf(team, member)} select role from changed`,
  )
}

async function changed(db: Database, { id }: Of, member: string, change: ReturnType<typeof sql>): Promise<TeamChange> {
  const lock = db
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.id, knownId(id)))
    .for('update')
  const [, { rows }, [left]] = await db.batch([
    lock,
    db.execute(change),
    db
      .select({ role: teamMembers.role })
      .from(teamMembers)
      .where(and(eq(teamMembers.team_id, knownId(id)), eq(teamMembers.owner_id, member))),
  ])
  return rows.length > 0 ? 'done' : left ? 'kept' : 'gone'
}
