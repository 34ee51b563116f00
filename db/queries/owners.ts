import type { Database } from '../connect.ts'
import { owners } from '../schema/owners.ts'
import type { Owner } from '../store.ts'

export async function ensureOwner(db: Database, owner: Owner): Promise<void> {
  await upsertOwner(db, owner)
}

/** The statement that adds an owner, or gives him this name and kind. */
export function upsertOwner(db: Database, owner: Owner) {
  return db
    .insert(owners)
    .values(owner)
    .onConflictDoUpdate({ target: owners.id, set: { name: owner.name, kind: owner.kind } })
}
