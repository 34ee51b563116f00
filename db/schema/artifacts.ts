import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** What trials left behind besides their records, by its name within the trial. The bytes lie in the object store, once a run under their hash. */
export const artifacts = pgTable(
  'artifacts',
  {
    sha256: text().notNull(),
    size_bytes: bigint({ mode: 'number' }).notNull(),
    content_type: text().notNull(),
    run_id: uuid().notNull(),
    ordinal: integer().notNull(),
    created_at: moment().notNull(),
    name: text().notNull(),
    kind: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.run_id, table.ordinal, table.name] }),
    index('artifacts_by_bytes').on(table.run_id, table.sha256),
  ],
)
