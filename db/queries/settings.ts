import { eq, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { settings } from '../schema/settings.ts'

export async function readSetting(db: Database, name: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name))
  return row?.value
}

export async function writeSetting(db: Database, name: string, value: unknown): Promise<void> {
  await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value: sql`excluded.value` } })
}

export async function ping(db: Database): Promise<void> {
  await db.execute(sql`select 1`)
}
