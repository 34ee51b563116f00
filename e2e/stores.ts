import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { startPostgres } from '#db/embedded/postgres.ts'

/** Everything that a stopped stack keeps, by place, as text: rows of its tables, rows of its objects, and its other files. */
export async function* keptTexts(dataDir: string): AsyncGenerator<{ place: string; text: string }> {
  yield* tables(dataDir)
  for (const file of globSync('**/*', { cwd: dataDir })) {
    const path = join(dataDir, file)
    if (file.startsWith('postgres') || file.startsWith('cache') || !statSync(path).isFile()) continue
    if (file.endsWith('.sqlite')) yield { place: file, text: rowsOf(path) }
    yield { place: file, text: readFileSync(path, 'latin1') }
  }
}

async function* tables(dataDir: string): AsyncGenerator<{ place: string; text: string }> {
  const server = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      yield { place: `table ${name}`, text: found.rows.map(({ row }) => row).join('\n') }
    }
  } finally {
    await client.end()
    await server.stop()
  }
}

function rowsOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const names = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[]
    return names.map(({ name }) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all(), asText)).join('\n')
  } finally {
    database.close()
  }
}

/** Blobs as their characters. */
const asText = (_: string, value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)
