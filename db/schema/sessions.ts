import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** Browser sessions. The table stores a hash of each secret; the `SessionObject` stores the tokens. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    sha256: text().notNull().unique(),
    owner_id: text().notNull(),
    user_id: text().notNull(),
    username: text().notNull(),
    scopes: text().array().notNull(),
    browser: text().notNull(),
    created_at: moment().notNull().default(sql`now()`),
    used_at: moment().notNull().default(sql`now()`),
    expires_at: moment().notNull(),
    ended_at: moment(),
  },
  (table) => [index('sessions_owner').on(table.owner_id, table.created_at)],
)
