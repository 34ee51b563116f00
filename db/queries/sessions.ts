import { and, desc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { teamRoles } from '#shared/contract/team-rights.ts'
import type { Database } from '../connect.ts'
import { sessions } from '../schema/sessions.ts'
import type { FoundSession, StoredSession } from '../session-store.ts'

const { sha256: _, ...stored } = getTableColumns(sessions)
/** Most sessions that one list returns. */
const mostListed = 200

export async function createSession(db: Database, session: StoredSession & { sha256: string }): Promise<void> {
  await db.insert(sessions).values(session)
}

const Memberships = z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(teamRoles) }))
/** The teams of a session's user, in the same statement: every request of a session reads them. Columns by their tables' names: drizzle leaves those out. */
const teamsOfUser = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'role', m.role) order by t.name, t.id), '[]')
  from team_members m join teams t on t.id = m.team_id where m.owner_id = sessions.owner_id
)`.mapWith((value: unknown) => Memberships.parse(value))

export async function findSession(db: Database, sha256: string): Promise<FoundSession | undefined> {
  const [row] = await db
    .select({ ...stored, teams: teamsOfUser })
    .from(sessions)
    .where(eq(sessions.sha256, sha256))
  return row
}

export async function listSessions(db: Database, owner_id: string, now: string): Promise<StoredSession[]> {
  return db
    .select(stored)
    .from(sessions)
    .where(and(eq(sessions.owner_id, owner_id), isNull(sessions.ended_at), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.used_at), desc(sessions.id))
    .limit(mostListed)
}

export async function touchSession(db: Database, id: string, used_at: string): Promise<void> {
  await db.update(sessions).set({ used_at }).where(eq(sessions.id, id))
}

export async function endSession(db: Database, id: string, owner_id: string, ended_at: string): Promise<boolean> {
  const ended = await db
    .update(sessions)
    .set({ ended_at })
    .where(and(eq(sessions.id, id), eq(sessions.owner_id, owner_id), isNull(sessions.ended_at)))
    .returning({ id: sessions.id })
  return ended.length > 0
}
