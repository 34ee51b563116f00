import { readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from './embedded/test-database.ts'
import { migrate } from './migrate.ts'
import * as schema from './schema/schema.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function withEmptyDatabase(name: string, work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  await database.db.execute(`create database ${name}`)
  const url = new URL(database.url)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await work(url.href, client)
  } finally {
    await client.end()
  }
}

test('[DB33] the committed migrations make exactly the schema of the code', async () => {
  const folder = new URL('./migrations/meta/', import.meta.url)
  const journal = JSON.parse(await readFile(new URL('_journal.json', folder), 'utf8'))
  const last = String(journal.entries.at(-1).idx).padStart(4, '0')
  const committed = JSON.parse(await readFile(new URL(`${last}_snapshot.json`, folder), 'utf8'))
  expect(await generateMigration(committed, generateDrizzleJson(schema, committed.id))).toEqual([])
  const { owners: _dropped, ...fewer } = schema
  expect((await generateMigration(committed, generateDrizzleJson(fewer, committed.id))).join()).toContain('DROP TABLE "owners"')
})

test('[DB34] migrations run once, whoever asks how often and at the same time', async () => {
  await withEmptyDatabase('twice', async (url) => {
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(applied.map((outcome) => outcome.applied).filter((count) => count > 0)).toHaveLength(1)
    expect(await migrate(url)).toEqual({ applied: 0 })
  })
})

test('[DB35] a database of a newer version is refused and left alone', async () => {
  await withEmptyDatabase('newer', async (url, client) => {
    await migrate(url)
    await client.query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', 99999999999999)`)
    await expect(migrate(url)).rejects.toThrow('newer version')
  })
})

test('[DB35] a database of a version before 1.0 is refused and not changed', async () => {
  await withEmptyDatabase('before', async (url, client) => {
    await migrate(url)
    await client.query('update drizzle.__drizzle_migrations set created_at = created_at - 1')
    await expect(migrate(url)).rejects.toThrow('version before 1.0')
  })
})

test('[DB34] a migration that fails leaves nothing behind', async () => {
  await withEmptyDatabase('blocked', async (url, client) => {
    await client.query('create table trials (id int)')
    await expect(migrate(url)).rejects.toThrow()
    const { rows } = await client.query(`select table_name from information_schema.tables where table_schema = 'public'`)
    expect(rows).toEqual([{ table_name: 'trials' }])
    await client.query('drop table trials')
    expect((await migrate(url)).applied).toBeGreaterThan(0)
  })
})
