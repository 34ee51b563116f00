import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { owners } from '../schema/owners.ts'
import type { Owner } from '../store.ts'

export async function ensureOwner(db: Database, owner: Owner): Promise<void> {
  await upsertOwner(db, owner)
}

export async function findOwners(db: Database, id_or_name: string): Promise<Owner[]> {
  const { created_at: _, ...owner } = getTableColumns(owners)
  const [known] = await db.select(owner).from(owners).where(eq(owners.id, id_or_name))
  if (known) return [known]
  return db.select(owner).from(owners).where(sql`lower(${owners.name}) = lower(${id_or_name})`).orderBy(asc(owners.id)).limit(2)
}

export async function hasOwner(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ id: owners.id }).from(owners).where(eq(owners.id, id))
  return row !== undefined
}

/** Adds the owner of a new run. A known owner keeps the name. */
export function addOwner(db: Database, owner: Owner) {
  return db.insert(owners).values(owner).onConflictDoNothing()
}

/** The statement that adds an owner, or gives him this name and kind. */
export function upsertOwner(db: Database, owner: Owner) {
  return db
    .insert(owners)
    .values(owner)
    .onConflictDoUpdate({ target: owners.id, set: { name: owner.name, kind: owner.kind } })
}
