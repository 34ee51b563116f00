import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { StreamedEvent } from '#shared/contract/event.ts'
import { moment, writtenJson } from './column.ts'

/** The numbered history of a run, as its stream showed it but packed (see `writeEvent`). No foreign key, as for trials. */
export const events = pgTable(
  'events',
  {
    run_id: uuid().notNull(),
    id: integer().notNull(),
    event_type: text().notNull(),
    benchmark_name: text(),
    message: text().notNull(),
    data: writtenJson(StreamedEvent.shape.data).notNull(),
    created_at: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.id] })],
)
