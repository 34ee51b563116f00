import type { TableName } from '#shared/contract/card.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { openTablesOf } from './open-tables.ts'

/** Tables for scorers; `whole` when none of those asked for is missing. */
export type KeptTables = { tables: Tables; whole: boolean }

/** Tables by the set that is asked for: parsed ones are kept as long as the process lives, unless one of them could not be had. */
export function createTablesOf(env: DatasetEnv): (names: readonly TableName[]) => Promise<KeptTables> {
  const kept = new Map<string, KeptTables>()
  return async (names) => {
    const key = [...names].sort().join(' ')
    const known = kept.get(key)
    if (known) return known
    const { tables, missing } = await openTablesOf(names, env)
    const opened = { tables, whole: missing.length === 0 }
    if (opened.whole) kept.set(key, opened)
    return opened
  }
}
