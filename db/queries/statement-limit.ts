import { sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'

/** Longest time of one statement of a list or a search. */
const longestStatementMs = 5_000

/** Stands first in a batch: PostgreSQL ends each later statement of the batch after 5 s. */
export const limitStatements = (db: Database) =>
  db.execute(sql`select set_config('statement_timeout', ${String(longestStatementMs)}, true)`)
