import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** Sessions of people who signed in, known by the hash of their secret only; their tokens lie with the session's object. */
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
