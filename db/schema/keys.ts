import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** API keys, known by their hash only. */
export const keys = pgTable(
  'keys',
  {
    id: text().primaryKey(),
    owner_id: text().notNull(),
    name: text().notNull(),
    /** Of a key of a team, the member who made it and whose account pays; null of other keys. */
    made_by: text(),
    scopes: text().array().notNull(),
    sha256: text().notNull().unique(),
    created_at: moment().notNull().default(sql`now()`),
    expires_at: moment(),
    revoked_at: moment(),
    used_at: moment(),
  },
  (table) => [index('keys_owner').on(table.owner_id)],
)
