import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import * as z from 'zod'
import { teamRoles } from '#shared/contract/team-rights.ts'
import type { Database } from '../connect.ts'
import { teamInvitations, teams } from '../schema/teams.ts'
import type { Membership, StoredInvitation, StoredMember, TeamBounds } from '../team-store.ts'

const { sha256: _, ...columns } = getTableColumns(teamInvitations)
export const invitationColumns = columns

export async function createInvitation(
  db: Database,
  { id, team_id, role, sha256, username, expires_at, made_by }: StoredInvitation & { sha256: string },
  most: number,
  now: string,
): Promise<boolean> {
  const [, { rows }] = await db.batch([
    db.delete(teamInvitations).where(and(eq(teamInvitations.team_id, team_id), sql`${teamInvitations.expires_at} <= ${now}::timestamptz`)),
    db.execute(sql`
      insert into team_invitations (id, team_id, role, sha256, username, expires_at, made_by)
      select ${id}, ${team_id}::uuid, ${role}::team_role, ${sha256}, ${username}, ${expires_at}::timestamptz, ${made_by}
      where (select count(*) from team_invitations i where i.team_id = ${team_id}::uuid and i.used_at is null) < ${most}::int
      returning id`),
  ])
  return rows.length > 0
}

export async function revokeInvitation(db: Database, team_id: string, id: string): Promise<boolean> {
  const dropped = await db
    .delete(teamInvitations)
    .where(and(eq(teamInvitations.team_id, team_id), eq(teamInvitations.id, id)))
    .returning({ id: teamInvitations.id })
  return dropped.length > 0
}

export async function findInvitation(db: Database, sha256: string): Promise<(StoredInvitation & { team: string }) | undefined> {
  const [found] = await db
    .select({ ...columns, team: teams.name })
    .from(teamInvitations)
    .innerJoin(teams, eq(teams.id, teamInvitations.team_id))
    .where(eq(teamInvitations.sha256, sha256))
  return found
}

const Joined = z.object({ id: z.string(), name: z.string(), role: z.enum(teamRoles) })

export async function acceptInvitation(
  db: Database,
  sha256: string,
  { owner_id, username, joined_at }: Omit<StoredMember, 'role'>,
  { members, memberships }: TeamBounds,
): Promise<Membership | undefined> {
  const { rows } = await db.execute(sql`
    with taken as (
      update team_invitations i set used_at = ${joined_at}::timestamptz
      where i.sha256 = ${sha256} and i.used_at is null and i.expires_at > ${joined_at}::timestamptz
        and (i.username is null or lower(i.username) = lower(${username}))
        and (select count(*) from team_members m where m.team_id = i.team_id) < ${members}::int
        and (select count(*) from team_members m where m.owner_id = ${owner_id}) < ${memberships}::int
      returning i.team_id, i.role
    ), joined as (
      insert into team_members (team_id, owner_id, username, role, joined_at)
      select team_id, ${owner_id}, ${username}, role, ${joined_at}::timestamptz from taken
      on conflict (team_id, owner_id) do update set role = greatest(team_members.role, excluded.role), username = excluded.username
      returning team_id, role
    )
    select t.id::text, t.name, j.role::text from joined j join teams t on t.id = j.team_id`)
  return rows[0] && Joined.parse(rows[0])
}
