import { and, asc, count, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { Model } from '#shared/contract/model.ts'
import type { Database } from '../connect.ts'
import { models } from '../schema/models.ts'
import { storableJson } from '../storable.ts'
import { contains } from './match.ts'

const names = Object.keys(getTableColumns(models)).map((name) => `"${name}"`)
const target = sql.raw(`models (${names.join(', ')})`)
const selected = sql.raw(names.join(', '))
const replaced = sql.raw(names.map((name) => `${name} = excluded.${name}`).join(', '))

/** Takes over a provider's whole catalogue: models that are not in it any more become inactive. */
export async function upsertModels(db: Database, provider: string, catalogue: Model[]): Promise<{ synced: number; deactivated: number }> {
  const byId = new Map(catalogue.map((model) => [model.id, { ...model, provider }]))
  const json = storableJson([...byId.values()])
  const [gone] = await db.batch([
    db.execute(sql`update ${models} set is_active = false where provider = ${provider} and is_active
      and id not in (select value->>'id' from jsonb_array_elements(${json}::jsonb))`),
    db.execute(sql`insert into ${target} select ${selected} from jsonb_populate_recordset(null::models, ${json}::jsonb)
      on conflict (provider, id) do update set ${replaced}`),
  ])
  return { synced: byId.size, deactivated: gone.rowCount }
}

export async function listModels(
  db: Database,
  filter: { search?: string; provider?: string; providers?: string[]; limit: number; offset: number },
): Promise<{ models: Model[]; total: number }> {
  const { search, provider, providers } = filter
  const where = and(
    provider === undefined ? undefined : eq(models.provider, provider),
    providers === undefined ? undefined : inArray(models.provider, providers),
    search ? or(contains(models.name, search), contains(models.slug, search), contains(models.id, search)) : undefined,
  )
  const page = db.select().from(models).where(where).orderBy(desc(models.is_active), asc(models.name), asc(models.provider), asc(models.id))
  const [rows, [counted]] = await db.batch([
    page.limit(filter.limit).offset(filter.offset),
    db.select({ total: count() }).from(models).where(where),
  ])
  return { models: rows, total: counted?.total ?? 0 }
}

export async function findModel(db: Database, identifier: string, provider: string | null): Promise<Model | undefined> {
  const isId = eq(models.id, identifier)
  const isChute = eq(models.chute_id, identifier)
  const [row] = await db
    .select()
    .from(models)
    .where(and(provider === null ? undefined : eq(models.provider, provider), or(isId, isChute, eq(models.slug, identifier))))
    .orderBy(sql`case when ${isId} then 0 when ${isChute} then 1 else 2 end`, desc(models.is_active), asc(models.provider))
    .limit(1)
  return row
}
