import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

const folder = join(import.meta.dirname, 'migrations')
const lock = 4_216_110_783

/**
 * Brings a database to this program's schema, in one transaction; several callers at once wait for each other.
 * @throws when the database was migrated by a newer version of the program; it is left as it is.
 */
export async function migrate(databaseUrl: string): Promise<{ applied: number }> {
  const known = readMigrationFiles({ migrationsFolder: folder })
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    const db = drizzle(client)
    const before = await listApplied(client)
    const newest = known.at(-1)?.folderMillis ?? 0
    if (before.some((at) => at > newest)) {
      throw new Error('This database was migrated by a newer version of Chutes Bench Runner. Start that version, or use another database.')
    }
    await db.execute(sql`set client_min_messages = warning`)
    await applyMigrations(db, { migrationsFolder: folder })
    return { applied: (await listApplied(client)).length - before.length }
  } finally {
    await client.end()
  }
}

/** Moments (`when` of the journal) of the migrations a database has seen. */
async function listApplied(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('drizzle.__drizzle_migrations') is not null as found`)
  if (!rows[0]?.found) return []
  const applied = await client.query<{ created_at: string }>('select created_at from drizzle.__drizzle_migrations')
  return applied.rows.map((row) => Number(row.created_at))
}

if (import.meta.main) {
  const url = process.env.DATABASE_URL
  if (!url) {
    console.error('DATABASE_URL is not set: name the database to migrate, as postgres://user:password@host/name.')
    process.exit(2)
  }
  const { applied } = await migrate(url)
  console.log(applied > 0 ? `Applied ${applied} migrations.` : 'The schema is up to date.')
}
