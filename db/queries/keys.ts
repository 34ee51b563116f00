import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { keys } from '../schema/keys.ts'
import { owners } from '../schema/owners.ts'
import { teams } from '../schema/teams.ts'
import type { ListedKey, StoredKey } from '../store.ts'

const storedKey = {
  id: keys.id,
  owner_id: keys.owner_id,
  name: keys.name,
  made_by: keys.made_by,
  scopes: keys.scopes,
  expires_at: keys.expires_at,
  revoked_at: keys.revoked_at,
  used_at: keys.used_at,
}

export async function createKey(db: Database, key: StoredKey & { sha256: string }): Promise<void> {
  await db.insert(keys).values(key)
}

/** A key of a team holds while the member who made it is an admin: also one that was made while the admin was demoted. */
const revokedNow = sql<string | null>`case when keys.made_by is null or exists (
  select from team_members m where m.owner_id = keys.made_by and 'team:' || m.team_id::text = keys.owner_id and m.role = 'admin'
) then keys.revoked_at else coalesce(keys.revoked_at, now()) end`.mapWith(keys.revoked_at)

/** Finds revoked and expired keys too: the caller says which it was. */
export async function findKey(db: Database, sha256: string): Promise<StoredKey | undefined> {
  const [row] = await db
    .select({ ...storedKey, revoked_at: revokedNow })
    .from(keys)
    .where(eq(keys.sha256, sha256))
  return row
}

/** Lists keys with the names of their owners, newest first. With null, lists the keys of all owners. */
export async function listKeys(db: Database, of: readonly string[] | null): Promise<ListedKey[]> {
  return db
    .select({ ...storedKey, owner: sql<string>`coalesce(${owners.name}, ${teams.name}, ${keys.owner_id})` })
    .from(keys)
    .leftJoin(owners, eq(owners.id, keys.owner_id))
    .leftJoin(teams, sql`'team:' || ${teams.id}::text = ${keys.owner_id}`)
    .where(of === null ? undefined : inArray(keys.owner_id, [...of]))
    .orderBy(desc(keys.created_at), desc(keys.id))
}

/** True when there is such a key; revoking twice keeps the first moment. */
export async function revokeKey(db: Database, id: string, of: readonly string[] | null): Promise<boolean> {
  const revoked = await db
    .update(keys)
    .set({ revoked_at: sql`coalesce(${keys.revoked_at}, now())` })
    .where(and(eq(keys.id, id), of === null ? undefined : inArray(keys.owner_id, [...of])))
    .returning({ id: keys.id })
  return revoked.length > 0
}

export async function touchKey(db: Database, id: string, used_at: string): Promise<void> {
  await db.update(keys).set({ used_at }).where(eq(keys.id, id))
}
