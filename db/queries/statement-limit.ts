import { sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'

/** Longest time of one statement of a list or a search. */
const longestStatementMs = 5_000

/** Limits each later statement of a batch to 5 s. Must be the first query of the batch. */
export const limitStatements = (db: Database) =>
  db.execute(sql`select set_config('statement_timeout', ${String(longestStatementMs)}, true)`)
