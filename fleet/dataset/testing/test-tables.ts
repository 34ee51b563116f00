import { join } from 'node:path'
import { type TableName, tableNames } from '#shared/contract/card.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import { datasetEnv } from '../dataset-env.ts'
import { openTablesOf } from '../open-tables.ts'

const root = join(import.meta.dirname, '../../..')

/** The real tables for tests, fetched once into `node_modules/.cache/bench-tables`; a table that cannot be had is printed and named. */
export async function testTables(): Promise<{ tables: Tables; missing: TableName[] }> {
  const folders = { cacheDir: join(root, 'node_modules/.cache/bench-tables'), benchmarksDir: join(root, 'shared/benchmarks') }
  const { tables, missing } = await openTablesOf(tableNames, { ...datasetEnv(process.env, folders), idleTimeoutMs: 20_000 })
  for (const { name, detail } of missing) console.warn(`tests that need the table ${name} are skipped: ${detail}`)
  return { tables, missing: missing.map(({ name }) => name) }
}
