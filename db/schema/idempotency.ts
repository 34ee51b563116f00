import { sql } from 'drizzle-orm'
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'
import { runs } from './runs.ts'

/** Which run an owner's Idempotency-Key made, and from which body. */
export const idempotency = pgTable(
  'idempotency',
  {
    owner_id: text().notNull(),
    key: text().notNull(),
    body_sha256: text().notNull(),
    run_id: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    created_at: moment().notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.owner_id, table.key] })],
)
