import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { readEnvFile } from '#shared/env-file.ts'

const folder = join(import.meta.dirname, 'migrations')
const lock = 4_216_110_783

/**
 * Brings a database to this program's schema, in one transaction; several callers at once wait for each other.
 * @throws if a newer version or a version before 1.0 migrated the database. The database is not changed.
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
    if (before.length > 0 && !before.includes(known[0]?.folderMillis ?? 0)) {
      throw new Error(
        'A version before 1.0 of Chutes Bench Runner made this database, and it cannot be migrated. Use another database; ' +
          'with npm start, set BENCH_DATA to another directory.',
      )
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

/** The database to migrate: of `--secrets-file FILE`, else of the environment, else of `.env` in the working directory. */
function databaseUrl(args: string[]): string {
  const { values } = parseArgs({ args, options: { 'secrets-file': { type: 'string' } } })
  const file = values['secrets-file']
  if (file !== undefined && !existsSync(file)) throw new Error(`There is no file ${file}.`)
  const given = file === undefined ? process.env.DATABASE_URL : undefined
  const read = given || parseFile(file ?? '.env').DATABASE_URL
  if (!read)
    throw new Error(
      `DATABASE_URL is not set in ${file ?? 'the environment or .env'}: name the database as postgres://user:password@host/name.`,
    )
  if (!/^postgres(ql)?:$/.test(URL.parse(read)?.protocol ?? '')) throw new Error('DATABASE_URL is no postgres://user:password@host/name.')
  return read
}

function parseFile(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {}
  const file = readEnvFile(readFileSync(path), path)
  if (!file.ok) throw new Error(file.message)
  return file.values
}

if (import.meta.main) {
  try {
    const { applied } = await migrate(databaseUrl(process.argv.slice(2)))
    console.log(applied > 0 ? `Applied ${applied} migrations.` : 'The schema is up to date.')
  } catch (error) {
    console.error(error instanceof Error ? error.message || String(error.cause ?? error.name) : error)
    process.exitCode = 1
  }
}
