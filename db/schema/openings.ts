import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

/** What prompts of a run begin with, by the hash that its records name. */
export const openings = pgTable('openings', { run_id: uuid().notNull(), sha256: text().notNull(), text: text().notNull() }, (table) => [
  primaryKey({ columns: [table.run_id, table.sha256] }),
])
