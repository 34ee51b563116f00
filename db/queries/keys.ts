import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { keys } from '../schema/keys.ts'
import type { StoredKey } from '../store.ts'

const storedKey = {
  id: keys.id,
  owner_id: keys.owner_id,
  name: keys.name,
  scopes: keys.scopes,
  expires_at: keys.expires_at,
  revoked_at: keys.revoked_at,
}

export async function createKey(db: Database, key: StoredKey & { sha256: string }): Promise<void> {
  await db.insert(keys).values(key)
}

/** Finds revoked and expired keys too: the caller says which it was. */
export async function findKey(db: Database, sha256: string): Promise<StoredKey | undefined> {
  const [row] = await db.select(storedKey).from(keys).where(eq(keys.sha256, sha256))
  return row
}

export async function listKeys(db: Database, owner_id: string): Promise<StoredKey[]> {
  return db.select(storedKey).from(keys).where(eq(keys.owner_id, owner_id)).orderBy(desc(keys.created_at), desc(keys.id))
}

/** True when the owner has such a key; revoking twice keeps the first moment. */
export async function revokeKey(db: Database, owner_id: string, id: string): Promise<boolean> {
  const revoked = await db
    .update(keys)
    .set({ revoked_at: sql`coalesce(${keys.revoked_at}, now())` })
    .where(and(eq(keys.owner_id, owner_id), eq(keys.id, id)))
    .returning({ id: keys.id })
  return revoked.length > 0
}
