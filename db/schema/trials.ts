import { bigint, customType, doublePrecision, index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { ScoreDetail } from '#shared/contract/item.ts'
import { PackedRecord } from '#shared/contract/packed.ts'
import { outcomes } from '#shared/contract/trial.ts'
import { StreamRow } from '#shared/stream/stream-row.ts'
import { moment, writtenJson } from './column.ts'

export const trialOutcome = pgEnum('trial_outcome', outcomes)

/**
 * One narrow row a finished trial: what lists filter, sort and count by, repeated from its record, which stands in `trial_records`.
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
    detail: writtenJson(ScoreDetail).notNull(),
    /** Characters of the record as JSON text. */
    record_size: integer().notNull(),
    /** What metrics read of how the answer came in; null where it was not measured. */
    stream: writtenJson(StreamRow),
  },
  (table) => [
    primaryKey({ columns: [table.run_id, table.benchmark, table.item_id, table.epoch] }),
    index('trials_plan').on(table.run_id, table.ordinal, table.benchmark),
  ],
)

/** The whole truth of a trial, as the text that was reported: read when an item is opened or exported. */
export const trialRecords = pgTable(
  'trial_records',
  { run_id: uuid().notNull(), ordinal: integer().notNull(), record: writtenJson(PackedRecord).notNull() },
  (table) => [primaryKey({ columns: [table.run_id, table.ordinal] })],
)

const gramBits = customType<{ data: string }>({ dataType: () => 'bit (4096)' })

/**
 * What a search looks at. `search` is the record's searched text in folded case. `grams` marks the groups of three characters that a long
 * text holds, so that a scan looks into few texts; null says that the text is short. No inverted index: writing one costs ten times the row.
 */
export const trialTexts = pgTable(
  'trial_texts',
  { run_id: uuid().notNull(), ordinal: integer().notNull(), snippet: text().notNull(), grams: gramBits(), search: text().notNull() },
  (table) => [primaryKey({ columns: [table.run_id, table.ordinal] })],
)
