import { join } from 'node:path'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { type MissingTable, openTablesOf } from '#fleet/dataset/open-tables.ts'
import { benchmarksDir } from '#fleet/program.ts'
import type { TableName } from '#shared/contract/card.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import { CommandError, type Io } from './io.ts'

/** Tables for scorers that run in this command, fetched and kept as an agent would. */
export async function openTablesHere(names: readonly TableName[], io: Io): Promise<{ tables: Tables; missing: MissingTable[] }> {
  const folders = {
    cacheDir: join(io.env.BENCH_DATA ?? '.data', 'cache'),
    benchmarksDir,
    signal: io.signal,
  }
  try {
    return await openTablesOf(names, datasetEnv(io.env, folders))
  } catch (cause) {
    if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted', null, { cause })
    throw cause
  }
}
