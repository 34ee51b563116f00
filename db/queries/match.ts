import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { RunId } from '#shared/contract/ids.ts'

const nobody = '00000000-0000-0000-0000-000000000000'

/** The id as a query may use it: text that is no UUID becomes one that no run has, since Postgres refuses to compare it. */
export function knownRun(run_id: string): string {
  return RunId.safeParse(run_id).success ? run_id : nobody
}

/** Whether a text holds another one as it is, whatever the case: `%`, `_` and `\` stand for themselves. */
export function contains(column: AnyColumn | SQL, part: string): SQL<boolean> {
  return sql<boolean>`${column} ilike ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
}
