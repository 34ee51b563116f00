import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** Payloads of trials that lie in the object store under their hash. The same bytes may belong to many trials. */
export const artifacts = pgTable(
  'artifacts',
  {
    sha256: text().notNull(),
    size_bytes: bigint({ mode: 'number' }).notNull(),
    content_type: text().notNull(),
    run_id: uuid().notNull(),
    ordinal: integer().notNull(),
    created_at: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.ordinal, table.sha256] }), index('artifacts_by_sha256').on(table.sha256)],
)
