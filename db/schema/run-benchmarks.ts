import { bigint, doublePrecision, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from './column.ts'
import { runs } from './runs.ts'

export const Metrics = z.record(z.string(), z.unknown())

/** A benchmark of a run: its metrics once they are computed, and the latency it saw, from which estimates are made. */
export const runBenchmarks = pgTable(
  'run_benchmarks',
  {
    run_id: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    benchmark: text().notNull(),
    position: integer().notNull(),
    version: integer().notNull(),
    profile: text().notNull(),
    metrics: json(Metrics),
    latency_ms_sum: doublePrecision().notNull().default(0),
    latency_count: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.benchmark] }), index('run_benchmarks_by_benchmark').on(table.benchmark)],
)
