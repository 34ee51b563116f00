import { mean } from './interval.ts'
import type { MetricRow } from './port.ts'

/** Milliseconds over the answers that have a figure: nearest-rank percentiles, so that each is a time that was measured. */
export type Percentiles = { n: number; mean: number; p50: number; p90: number; p99: number }
export type Timings = { latency_ms: Percentiles | null; ttft_ms: Percentiles | null }

/** How long answers took, and how long until their first token; null where none was measured. Failures are no answers. */
export function timingsOf(rows: readonly MetricRow[]): Timings {
  const of = (pick: (row: MetricRow) => number | null | undefined) =>
    percentiles(rows.flatMap((row) => (row.outcome === 'failed' ? [] : (pick(row) ?? []))))
  return { latency_ms: of((row) => row.latency_ms), ttft_ms: of((row) => row.ttft_ms) }
}

function percentiles(times: readonly number[]): Percentiles | null {
  if (times.length === 0) return null
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]! // an index of the list
  return { n: sorted.length, mean: mean(sorted), p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
