import { asc } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { signingKeys } from '../schema/signing-keys.ts'
import type { SigningKeyRow } from '../store.ts'

/** Adds a key or retires one; its bytes and the start of its validity never change. */
export async function saveSigningKey(db: Database, key: SigningKeyRow): Promise<void> {
  await db
    .insert(signingKeys)
    .values(key)
    .onConflictDoUpdate({ target: signingKeys.fingerprint, set: { retired_at: key.retired_at } })
}

/** Oldest first. */
export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  return db.select().from(signingKeys).orderBy(asc(signingKeys.valid_from), asc(signingKeys.fingerprint))
}
