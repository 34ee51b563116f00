import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import type { StoredProviderKey } from '../provider-key-store.ts'
import { providerKeys } from '../schema/provider-keys.ts'

export async function listProviderKeys(db: Database, owner_id: string): Promise<StoredProviderKey[]> {
  return db.select().from(providerKeys).where(eq(providerKeys.owner_id, owner_id)).orderBy(asc(providerKeys.provider))
}

/** Counts under a lock of the owner: two keys that are saved at once do not pass the bound together. */
export async function saveProviderKey(db: Database, key: Omit<StoredProviderKey, 'used_at'>, most: number): Promise<boolean> {
  const { id: _id, owner_id: _owner, provider: _provider, ...news } = key
  const [, saved] = await db.batch([
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`provider-keys|${key.owner_id}`}, 0))`),
    db
      .insert(providerKeys)
      .select(
        sql`select * from jsonb_populate_record(null::provider_keys, ${JSON.stringify({ ...key, used_at: null })}::jsonb)
          where (select count(*) from provider_keys where owner_id = ${key.owner_id} and provider <> ${key.provider}) < ${most}`,
      )
      .onConflictDoUpdate({ target: [providerKeys.owner_id, providerKeys.provider], set: { ...news, used_at: null } })
      .returning({ id: providerKeys.id }),
  ])
  return saved.length > 0
}

export async function noteProviderKey(
  db: Database,
  id: string,
  sealed: string,
  news: Pick<StoredProviderKey, 'verdict' | 'models' | 'asked_at'>,
): Promise<void> {
  await db
    .update(providerKeys)
    .set(news)
    .where(and(eq(providerKeys.id, id), eq(providerKeys.sealed, sealed)))
}

export async function useProviderKey(db: Database, id: string, owner_id: string, used_at: string): Promise<StoredProviderKey | undefined> {
  const [row] = await db
    .update(providerKeys)
    .set({ used_at })
    .where(and(eq(providerKeys.id, id), eq(providerKeys.owner_id, owner_id)))
    .returning()
  return row
}

export async function deleteProviderKey(db: Database, owner_id: string, provider: string): Promise<boolean> {
  const gone = await db
    .delete(providerKeys)
    .where(and(eq(providerKeys.owner_id, owner_id), eq(providerKeys.provider, provider)))
    .returning({ id: providerKeys.id })
  return gone.length > 0
}
