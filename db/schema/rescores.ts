import { index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { RescoreSummary, Scored } from '#shared/contract/rescore.ts'
import { json, moment } from './column.ts'
import { runs } from './runs.ts'

export const computedBy = pgEnum('computed_by', ['edge', 'client'])

/** One row a rescoring, never changed: it stands beside the run's own scores. The columns repeat what the summary says. */
export const rescores = pgTable(
  'rescores',
  {
    id: uuid().primaryKey(),
    run_id: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    benchmark: text().notNull(),
    from_version: integer().notNull(),
    from_fingerprint: text(),
    to_version: integer().notNull(),
    to_fingerprint: text(),
    changed: integer().notNull(),
    computed_by: computedBy().notNull(),
    code_version: text().notNull(),
    owner_id: text().notNull(),
    created_at: moment().notNull(),
    summary: json(RescoreSummary).notNull(),
  },
  (table) => [index('rescores_of_run').on(table.run_id, table.created_at)],
)

/** The trials of a rescoring that came out otherwise. */
export const rescoreDifferences = pgTable(
  'rescore_differences',
  {
    rescore_id: uuid()
      .notNull()
      .references(() => rescores.id, { onDelete: 'cascade' }),
    ordinal: integer().notNull(),
    item_id: text().notNull(),
    epoch: integer().notNull(),
    before: json(Scored).notNull(),
    after: json(Scored).notNull(),
  },
  (table) => [primaryKey({ columns: [table.rescore_id, table.ordinal] })],
)
