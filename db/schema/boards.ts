import { sql } from 'drizzle-orm'
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
  (table) => [
    primaryKey({ columns: [table.run_id, table.benchmark] }),
    index('board_entries_of_board').on(table.board, table.setup),
    index('board_entries_apart')
      .on(table.board, table.ended_at.desc().nullsFirst(), table.run_id)
      .where(sql`apart is not null and not withdrawn`),
    index('board_entries_withdrawn').on(table.owner_id, table.board).where(sql`withdrawn`),
  ],
)

/**
 * What a board says of a setup, kept so that no request adds up entries: once for the public ones (`owner_id` is empty) and once for those that
 * only one owner sees. Triggers on `board_entries` write it anew in the transaction that changed them; nothing else does. `runs` and the sums are
 * of ranked runs, `withdrawn` counts those that would be ranked, `below` and `above` are sums of squared distances to the limits.
 */
export const boardRows = pgTable(
  'board_rows',
  {
    board: uuid()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    setup: uuid().notNull(),
    public: boolean().notNull(),
    owner_id: text().notNull(),
    runs: integer().notNull(),
    apart: integer().notNull(),
    withdrawn: integer().notNull(),
    failed: integer().notNull(),
    total: integer().notNull(),
    score_sum: doublePrecision().notNull(),
    below: doublePrecision().notNull(),
    above: doublePrecision().notNull(),
    /** Null when one of the costs, or of the times, is not known. */
    cost_sum: doublePrecision(),
    duration_sum: doublePrecision(),
    /** By score, then cost, then time; null where no run is ranked. */
    best: uuid(),
  },
  (table) => [primaryKey({ columns: [table.board, table.setup, table.public, table.owner_id] })],
)

/** Runs that were taken from the boards; a run that goes on and ends once more stays there. */
export const withdrawals = pgTable('withdrawals', {
  run_id: uuid()
    .primaryKey()
    .references(() => runs.id, { onDelete: 'cascade' }),
  by: withdrawnBy().notNull(),
  at: moment().notNull(),
})
