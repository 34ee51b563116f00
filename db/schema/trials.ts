import { bigint, doublePrecision, index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { PackedRecord } from '#shared/contract/packed.ts'
import { outcomes } from '#shared/contract/trial.ts'
import { json, moment } from './column.ts'

export const trialOutcome = pgEnum('trial_outcome', outcomes)

/**
 * One row a finished trial. The columns repeat what lists filter, sort and count by; `record` is the whole truth.
 * No foreign key and only two indexes: this is the hot table, and `drain` checks the run once a batch.
 */
export const trials = pgTable(
  'trials',
  {
    run_id: uuid().notNull(),
    finished_at: moment().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    score: doublePrecision(),
    latency_ms: doublePrecision(),
    ttft_ms: doublePrecision(),
    cost_usd: doublePrecision(),
    ordinal: integer().notNull(),
    epoch: integer().notNull(),
    attempt: integer().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cached_tokens: integer().notNull(),
    reasoning_tokens: integer().notNull(),
    options: integer(),
    outcome: trialOutcome().notNull(),
    benchmark: text().notNull(),
    item_id: text().notNull(),
    source_id: text(),
    group_name: text(),
    answer: text(),
    expected: text(),
    failure: text(),
    flags: text().array().notNull(),
    record: json(PackedRecord).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.run_id, table.benchmark, table.item_id, table.epoch] }),
    index('trials_plan').on(table.run_id, table.ordinal, table.benchmark),
  ],
)
