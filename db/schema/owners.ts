import { sql } from 'drizzle-orm'
import { pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

export const ownerKind = pgEnum('owner_kind', ['local', 'key', 'chutes'])

/** Whoever may own runs and keys. */
export const owners = pgTable('owners', {
  id: text().primaryKey(),
  name: text().notNull(),
  kind: ownerKind().notNull(),
  created_at: moment().notNull().default(sql`now()`),
})
