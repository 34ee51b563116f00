import { and, eq, sql } from 'drizzle-orm'
import { replayProvider } from '#shared/contract/replay.ts'
import type { Database } from '../connect.ts'
import { benchmarks } from '../schema/benchmarks.ts'
import { runBenchmarks } from '../schema/run-benchmarks.ts'
import { knownRun } from './match.ts'

/**
 * Keeps the metrics of one benchmark of a run, and with them what the run saw of its latency. A demo model, replayed answers and invented sample
 * rows say nothing about a benchmark, so their latency is not kept.
 */
export async function saveMetrics(db: Database, run_id: string, benchmark: string, metrics: Record<string, unknown>): Promise<void> {
  const id = knownRun(run_id)
  const isReal = sql`exists (
    select 1 from runs, jsonb_array_elements(spec->'benchmarks') as planned
    where id = ${id} and provider not in ('demo', ${replayProvider}) and planned->>'name' = ${benchmark} and planned->'data'->>'source' <> 'sample'
  )`
  const seen = (what: string) =>
    sql`(select ${sql.raw(what)} from trials where run_id = ${id} and benchmark = ${benchmark} and outcome <> 'failed' and ${isReal})`
  await db.batch([
    db
      .update(runBenchmarks)
      .set({ metrics, latency_ms_sum: seen('coalesce(sum(latency_ms), 0)'), latency_count: seen('count(latency_ms)') })
      .where(and(eq(runBenchmarks.run_id, id), eq(runBenchmarks.benchmark, benchmark))),
    db.execute(sql`insert into ${benchmarks} (name, latency_ms_sum, latency_count)
      select benchmark, sum(latency_ms_sum), sum(latency_count) from run_benchmarks where benchmark = ${benchmark} group by benchmark
      on conflict (name) do update set latency_ms_sum = excluded.latency_ms_sum, latency_count = excluded.latency_count`),
  ])
}

export async function listBenchmarkLatency(db: Database): Promise<Record<string, number>> {
  const average = sql<number>`${benchmarks.latency_ms_sum} / ${benchmarks.latency_count}`
  const rows = await db.select({ name: benchmarks.name, average }).from(benchmarks).where(sql`${benchmarks.latency_count} > 0`)
  return Object.fromEntries(rows.map((row) => [row.name, row.average]))
}
