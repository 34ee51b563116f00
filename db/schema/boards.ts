import { boolean, doublePrecision, index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { apartReasons, BoardSetup } from '#shared/contract/board.ts'
import { Estimate } from '#shared/contract/estimate.ts'
import { DataIdentity } from '#shared/contract/run.ts'
import { json, moment } from './column.ts'
import { runStatus, runs } from './runs.ts'

export const apartReason = pgEnum('apart_reason', apartReasons)
export const withdrawnBy = pgEnum('withdrawn_by', ['owner', 'operator'])

/** What makes scores comparable; the id follows from the rest, so that whoever writes a run finds its board without looking for it. */
export const boards = pgTable('boards', {
  id: uuid().primaryKey(),
  benchmark: text().notNull(),
  version: integer().notNull(),
  scorer_version: integer().notNull(),
  profile: text().notNull(),
  data: json(DataIdentity).notNull(),
})

/**
 * One narrow row for each benchmark of an ended run, written in the transaction that ends the run or keeps its rescoring. `setup` is the hash of
 * what its row on the board is about. `low` and `high` are limits for the expected score, from which means and ties are computed.
 */
export const boardEntries = pgTable(
  'board_entries',
  {
    run_id: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    board: uuid()
      .notNull()
      .references(() => boards.id),
    setup: uuid().notNull(),
    ended_at: moment().notNull(),
    score: doublePrecision().notNull(),
    low: doublePrecision().notNull(),
    high: doublePrecision().notNull(),
    cost_usd: doublePrecision(),
    duration_ms: doublePrecision(),
    failed: integer().notNull(),
    total: integer().notNull(),
    epochs: integer().notNull(),
    planned_epochs: integer().notNull(),
    sampled_items: integer().notNull(),
    total_items: integer().notNull(),
    public: boolean().notNull(),
    withdrawn: boolean().notNull(),
    rescored: boolean().notNull(),
    status: runStatus().notNull(),
    apart: apartReason(),
    benchmark: text().notNull(),
    owner_id: text().notNull(),
    asked: json(BoardSetup).notNull(),
    estimate: json(Estimate).notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.benchmark] }), index('board_entries_of_board').on(table.board, table.setup)],
)

/** Runs that were taken from the boards; a run that goes on and ends once more stays there. */
export const withdrawals = pgTable('withdrawals', {
  run_id: uuid()
    .primaryKey()
    .references(() => runs.id, { onDelete: 'cascade' }),
  by: withdrawnBy().notNull(),
  at: moment().notNull(),
})
