import { bigint, doublePrecision, pgTable, text } from 'drizzle-orm/pg-core'

/** What all runs together have seen of a benchmark. Its card is code, not a row. */
export const benchmarks = pgTable('benchmarks', {
  name: text().primaryKey(),
  latency_ms_sum: doublePrecision().notNull(),
  latency_count: bigint({ mode: 'number' }).notNull(),
})
