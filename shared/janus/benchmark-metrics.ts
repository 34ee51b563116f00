import type { JanusResult } from './result.ts'
import type { Version } from './score/phrases.ts'
import { meanOrZero } from './score/ramp.ts'

/** The official one takes the value at `n · share` in order; the mended one goes linearly between two. Null for none. */
export function percentile(values: readonly number[], share: number, version: Version): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  if (sorted.length === 0) return null
  if (version === 'v1') return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  const at = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return below + (above - below) * (at - Math.floor(at))
}

const meanOf = (values: readonly number[]): number | null => (values.length === 0 ? null : meanOrZero(values))

/**
 * Averages of the streams of a benchmark: time to the first token where one came, rate, continuity. `v2`: a failed or broken stream has a continuity
 * of 0, one that cannot be told is left out, and rates are of streams that have one.
 */
export function averageStream(results: readonly JanusResult[], version: Version) {
  const came = results.filter(({ stream }) => stream.first_token_received)
  const rates = results.flatMap(({ stream, tokens_per_second }) => stream.tps ?? (version === 'v1' ? (tokens_per_second ?? []) : []))
  const continuities = results.flatMap((result) => {
    if (version === 'v2' && (result.failed || result.stream.broken || !result.stream.first_token_received)) return [0]
    return result.stream.continuity ?? []
  })
  const ttfts = came.map(({ stream }) => stream.ttft_s * 1000)
  const spans = results.filter(({ stream }) => stream.duration_s > 0)
  const regular = spans.map(({ stream }) => Math.max(0, 1 - stream.max_gap_s / stream.duration_s))
  return {
    avg_ttft_ms: meanOf(ttfts),
    p90_ttft_ms: percentile(ttfts, 0.9, version),
    p95_ttft_ms: percentile(ttfts, 0.95, version),
    p99_ttft_ms: percentile(ttfts, 0.99, version),
    avg_tps: meanOf(rates),
    avg_continuity: meanOf(continuities),
    continuity_score: meanOf(continuities),
    chunk_regularity: meanOf(regular),
    samples: ttfts.length,
  }
}

/** What the report tells of each benchmark beside its score (reference 1.9); a figure without a value is left out. */
export function benchmarkMetrics(results: readonly JanusResult[], version: Version): Record<string, Record<string, unknown>> {
  const found: Record<string, Record<string, unknown>> = {}
  const of = (name: string) => results.filter(({ benchmark }) => benchmark === name)
  const [research, streaming, cost] = [of('janus_research'), of('janus_streaming'), of('janus_cost')]
  if (research.length > 0) found.janus_research = researchMetrics(research)
  if (streaming.length > 0) found.janus_streaming = told(averageStream(streaming, version))
  if (cost.length > 0) found.janus_cost = costMetrics(cost)
  return found
}

const told = (figures: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== null && value !== undefined))

function researchMetrics(results: readonly JanusResult[]): Record<string, unknown> {
  const valid = results.filter(({ answered }) => answered)
  const share = (flag: string): number | undefined =>
    valid.length === 0 ? undefined : valid.filter(({ scores }) => scores.flags.includes(flag)).length / valid.length
  const kinds = [...new Set(valid.map(({ subtype }) => subtype))]
  const by_task_type = Object.fromEntries(
    kinds.map((kind) => {
      const own = valid.filter(({ subtype }) => subtype === kind).map(({ scores }) => scores.quality)
      return [kind, { count: own.length, avg_score: meanOrZero(own) }]
    }),
  )
  const avg_latency_ms = meanOf(results.map(({ latency_s }) => latency_s * 1000))
  return told({ avg_latency_ms, search_usage_rate: share('tells_sources'), citation_rate: share('cites'), by_task_type })
}

function costMetrics(results: readonly JanusResult[]): Record<string, unknown> {
  const valid = results.filter(({ answered }) => answered)
  const counted = valid.flatMap(({ tokens }) => tokens ?? [])
  const sum = (each: (tokens: (typeof counted)[0]) => number): number => counted.reduce((total, one) => total + each(one), 0)
  const [baseline, output] = [sum((one) => one.baseline), sum((one) => one.output)]
  const totals = counted.map(({ input, output: written }) => input + written)
  return told({
    tokens_per_task: meanOf(totals),
    avg_input_tokens: meanOf(counted.map(({ input }) => input)),
    avg_output_tokens: meanOf(counted.map((one) => one.output)),
    avg_total_tokens: meanOf(totals),
    avg_quality_score: meanOf(valid.map(({ scores }) => scores.quality)),
    avg_efficiency_score: meanOf(valid.map(({ scores }) => scores.cost ?? 0)),
    baseline_tokens: baseline,
    samples: valid.length,
    token_savings_pct: baseline > 0 ? ((baseline - output) / baseline) * 100 : undefined,
  })
}
