import type { TrialRecord } from '../contract/trial.ts'
import { benchmarkMetrics, percentile } from './benchmark-metrics.ts'
import { type Composite, compositeOf, officialWeights, partNames, type Weights } from './composite.ts'
import { type JanusResult, resultOf } from './result.ts'
import type { Version } from './score/phrases.ts'
import { meanOrZero } from './score/ramp.ts'

/** What a report says of the run itself. Times are ISO 8601 in UTC. */
export type ReportRun = {
  run_id: string
  suite: string
  target_url: string
  model: string
  started_at: string | null
  completed_at: string | null
}

/** A trial as a report lists it. */
export type ReportTrial = { record: TrialRecord; finished_at: string }

/** Longest answer in a report, in UTF-16 units: the record has all of it. */
const mostResponse = 1000

const without = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** The streaming figures of an item under the names of the official report, in seconds. */
function streamingMetrics(record: TrialRecord, { stream }: JanusResult): Record<string, unknown> {
  const facts = record.evidence?.kind === 'exchange' ? record.evidence.turns[0]?.stream : null
  const content = facts?.content
  return without({
    ttft_seconds: stream.ttft_s,
    max_gap_seconds: stream.max_gap_s,
    max_gap_after_first_token_seconds: stream.max_gap_after_first_s,
    max_data_gap_seconds: facts?.max_data_gap_ms == null ? null : facts.max_data_gap_ms / 1000,
    total_chunks: stream.chunks,
    keep_alive_count: facts?.keep_alives ?? 0,
    total_duration_seconds: stream.duration_s,
    avg_tps: stream.tps,
    peak_tps: content?.least_ms ? 1000 / content.least_ms : null,
    min_tps: content && content.most_ms > 0 ? 1000 / content.most_ms : null,
    total_tokens: stream.tokens,
    continuity_score: stream.continuity,
    continuity_gap_count: content?.long ?? null,
    continuity_max_gap_seconds: content ? content.most_ms / 1000 : null,
    continuity_coefficient_of_variation: content ? (content.mean_ms > 0 ? content.sd_ms / content.mean_ms : 0) : null,
  })
}

/** One item of a report. `withheld` leaves the answer out. */
export function reportItem({ record, finished_at }: ReportTrial, version: Version): Record<string, unknown> {
  const result = resultOf(record, version)
  const evidence = record.evidence?.kind === 'exchange' ? record.evidence : null
  const { quality, speed, cost, streaming, multimodal, judge } = result.scores
  return without({
    task_id: record.source_id ?? record.item_id,
    benchmark: record.benchmark,
    task_type: result.subtype,
    success: !result.failed,
    response_text: evidence?.text.slice(0, mostResponse),
    error: record.failure?.detail,
    latency_seconds: result.latency_s,
    streaming_metrics: streamingMetrics(record, result),
    tokens_per_second: result.tokens_per_second,
    prompt_tokens: result.tokens?.input,
    completion_tokens: result.tokens?.output,
    total_tokens: result.tokens ? result.tokens.input + result.tokens.output : null,
    cost_usd: record.cost_usd,
    sandbox_seconds: evidence?.sandbox_ms == null ? null : evidence.sandbox_ms / 1000,
    quality_score: quality,
    speed_score: speed,
    cost_score: cost,
    streaming_score: streaming,
    multimodal_score: multimodal,
    judge_score: judge,
    metadata: { item_id: record.item_id, epoch: record.epoch, outcome: record.outcome, flags: record.flags, ...callsOf(evidence) },
    timestamp: new Date(finished_at).toISOString(),
  })
}

function callsOf(evidence: Extract<TrialRecord['evidence'], { kind: 'exchange' }> | null): Record<string, unknown> {
  const calls =
    evidence?.turns.flatMap((turn) => turn.tool_calls.map(({ name, arguments: given }) => ({ function: name, arguments: given }))) ?? []
  return calls.length > 0 ? { tool_calls: calls } : {}
}

/** Everything of a report but its items: composite, parts, and figures over all items. `official` is the same run by the official formulas. */
export function reportHead(run: ReportRun, trials: readonly ReportTrial[], version: Version, weights: Weights = officialWeights) {
  const results = trials.map(({ record }) => resultOf(record, version))
  const composite = compositeOf(results, version, weights)
  const other = version === 'v1' ? 'v2' : 'v1'
  const beside = compositeOf(
    trials.map(({ record }) => resultOf(record, other)),
    other,
    weights,
  )
  const latencies = results.map(({ latency_s }) => latency_s)
  const came = results.filter(({ stream }) => version === 'v1' || stream.first_token_received)
  const scores = partNames.map((name) => [`${name}_score`, composite.parts[name]] as const)
  return {
    ...run,
    scoring: `janus-${version}`,
    composite_score: composite.composite,
    ...(Object.fromEntries(scores) as Record<`${(typeof partNames)[number]}_score`, number | null>), // every name
    of_present: composite.of_present,
    absent: composite.absent,
    total_tasks: results.length,
    passed_tasks: results.filter(({ failed }) => !failed).length,
    failed_tasks: results.filter(({ failed }) => failed).length,
    avg_latency_seconds: meanOrZero(latencies),
    p50_latency_seconds: percentile(latencies, 0.5, 'v2') ?? 0,
    avg_ttft_seconds: came.length === 0 ? null : meanOrZero(came.map(({ stream }) => stream.ttft_s)),
    max_gap_seconds: results.length === 0 ? null : Math.max(...results.map(({ stream }) => stream.max_gap_s)),
    total_tokens: results.reduce((sum, { tokens }) => sum + (tokens ? tokens.input + tokens.output : 0), 0),
    total_cost_usd: trials.reduce((sum, { record }) => sum + (record.cost_usd ?? 0), 0),
    weights: composite.weights,
    benchmark_scores: Object.fromEntries(Object.entries(composite.benchmarks).map(([name, { score }]) => [name, score])),
    benchmark_metrics: benchmarkMetrics(results, version),
    beside: besideOf(beside),
  }
}
export type ReportHead = ReturnType<typeof reportHead>

const besideOf = ({ version, composite, of_present, parts, absent }: Composite) => ({
  scoring: `janus-${version}`,
  composite_score: composite,
  of_present,
  parts,
  absent,
})
