import type { Database } from '../connect.ts'
import { owners } from '../schema/owners.ts'

export async function ensureOwner(db: Database, owner: { id: string; name: string; kind: 'local' | 'key' | 'chutes' }): Promise<void> {
  await db
    .insert(owners)
    .values(owner)
    .onConflictDoUpdate({ target: owners.id, set: { name: owner.name, kind: owner.kind } })
}
