import * as z from 'zod'
import { percentile } from './benchmark-metrics.ts'
import { partNames } from './composite.ts'

const score = z.number().nullable().default(null)
const seconds = z.number().optional()

/** What is read of a report, one of ours or an official one. */
export const JanusReport = z.object({
  run_id: z.string(),
  suite: z.string(),
  model: z.string(),
  scoring: z.string().default('janus-v1'),
  composite_score: score,
  of_present: score,
  quality_score: score,
  speed_score: score,
  cost_score: score,
  streaming_score: score,
  multimodal_score: score,
  absent: z.array(z.string()).default([]),
  weights: z.record(z.string(), z.number()).default({}),
  total_tasks: z.int(),
  passed_tasks: z.int(),
  failed_tasks: z.int(),
  total_cost_usd: z.number().default(0),
  total_tokens: z.number().default(0),
  benchmark_scores: z.record(z.string(), z.number()).default({}),
  results: z.array(
    z.object({
      task_id: z.string(),
      benchmark: z.string(),
      success: z.boolean(),
      error: z.string().nullish(),
      latency_seconds: z.number(),
      quality_score: z.number().default(0),
      total_tokens: z.number().nullish(),
      cost_usd: z.number().nullish(),
      tokens_per_second: z.number().nullish(),
      streaming_metrics: z
        .object({
          ttft_seconds: seconds,
          avg_tps: z.number().nullish(),
          continuity_score: z.number().nullish(),
          continuity_gap_count: z.number().nullish(),
        })
        .nullish(),
    }),
  ),
})
export type JanusReport = z.infer<typeof JanusReport>

type Result = JanusReport['results'][0]
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length
const told = (values: readonly (number | null | undefined)[]): number[] => values.filter((one) => typeof one === 'number')

/** Mean, middle and 95th percentile, linear between two values; null for none. */
function figures(values: readonly number[]) {
  return { avg: mean(values), p50: percentile(values, 0.5, 'v2'), p95: percentile(values, 0.95, 'v2') }
}

/** What a report's items say together: scores, times, tokens, items by benchmark, those that failed, and those that took twice as long as the middle one. */
export function analyseReport(report: JanusReport) {
  const { results } = report
  const latencies = results.map(({ latency_seconds }) => latency_seconds)
  const middle = percentile(latencies, 0.5, 'v2') ?? 0
  const streams = results.flatMap(({ streaming_metrics, success }) => (streaming_metrics && success ? [streaming_metrics] : []))
  const brief = ({ task_id, benchmark, latency_seconds, error }: Result) => ({
    task_id,
    benchmark,
    latency_seconds,
    ...(error && { error }),
  })
  return {
    run_id: report.run_id,
    model: report.model,
    scoring: report.scoring,
    scores: { composite: report.composite_score, ...Object.fromEntries(partNames.map((name) => [name, report[`${name}_score`]])) },
    ttft_ms: figures(told(streams.map(({ ttft_seconds }) => (ttft_seconds === undefined ? null : ttft_seconds * 1000)))),
    tokens_per_second: figures(told(results.map(({ tokens_per_second }) => tokens_per_second))),
    latency_seconds: figures(latencies),
    continuity: figures(told(streams.map(({ continuity_score }) => continuity_score))),
    continuity_gaps: figures(told(streams.map(({ continuity_gap_count }) => continuity_gap_count))),
    tokens_per_task: mean(told(results.map(({ total_tokens }) => total_tokens))),
    cost_per_task_usd: mean(told(results.map(({ cost_usd }) => cost_usd))),
    tasks_by_benchmark: Object.fromEntries(
      [...new Set(results.map(({ benchmark }) => benchmark))].map((name) => [name, tallyOf(results, name)]),
    ),
    failed_tasks: results.filter(({ success }) => !success).map(brief),
    slow_tasks: results.filter(({ latency_seconds }) => latency_seconds > 2 * middle).map(brief),
  }
}
export type JanusAnalysis = ReturnType<typeof analyseReport>

function tallyOf(results: readonly Result[], name: string) {
  const own = results.filter(({ benchmark }) => benchmark === name)
  const passed = own.filter(({ success }) => success).length
  return {
    total: own.length,
    passed,
    failed: own.length - passed,
    avg_latency_seconds: mean(own.map(({ latency_seconds }) => latency_seconds)),
    avg_quality_score: mean(own.map(({ quality_score }) => quality_score)),
  }
}

/** Two reports side by side: both analyses, who is ahead in each category (`first`, `second` or `tie`), and second minus first. Null where one lacks a figure. */
export function compareReports(first: JanusReport, second: JanusReport) {
  const [one, other] = [analyseReport(first), analyseReport(second)]
  const pairs: [string, number | null, number | null, higher: boolean][] = [
    ...['composite', ...partNames].map((name): [string, number | null, number | null, boolean] => [
      name,
      scoreOf(one, name),
      scoreOf(other, name),
      true,
    ]),
    ['ttft_ms', one.ttft_ms.avg, other.ttft_ms.avg, false],
    ['tokens_per_second', one.tokens_per_second.avg, other.tokens_per_second.avg, true],
    ['latency_seconds', one.latency_seconds.avg, other.latency_seconds.avg, false],
    ['cost_per_task_usd', one.cost_per_task_usd, other.cost_per_task_usd, false],
  ]
  const known = pairs.flatMap(([name, a, b, higher]) => (a === null || b === null ? [] : [{ name, delta: b - a, higher }]))
  const winner = (delta: number, higher: boolean): string => (delta === 0 ? 'tie' : delta > 0 === higher ? 'second' : 'first')
  return {
    first: one,
    second: other,
    same_scoring: first.scoring === second.scoring,
    same_weights: partNames.every((name) => first.weights[name] === second.weights[name]),
    winner_by_category: Object.fromEntries(known.map(({ name, delta, higher }) => [name, winner(delta, higher)])),
    deltas: Object.fromEntries(known.map(({ name, delta }) => [name, delta])),
  }
}

const scoreOf = ({ scores }: JanusAnalysis, name: string): number | null => scores[name as keyof typeof scores] ?? null

/** A report as lines of text; the composite never stands without its parts. */
export function reportLines(report: JanusReport): string[] {
  const number = (value: number | null): string => (value === null ? '–' : value.toFixed(1))
  const whole =
    report.composite_score === null
      ? `– (not run: ${report.absent.join(', ')}; ${number(report.of_present)} over what was run)`
      : `${number(report.composite_score)} of 100`
  const counts = (name: string): string => (report.weights[name] === undefined ? '' : ` (counts ${report.weights[name]} %)`)
  const costTold = report.results.some(({ cost_usd }) => typeof cost_usd === 'number')
  const cost = costTold ? `${report.total_cost_usd.toFixed(4)} USD` : 'cost unknown'
  return [
    `${report.model}, ${report.suite}, ${report.scoring}, run ${report.run_id}`,
    `composite ${whole}`,
    ...partNames.map((name) => `  ${name} ${number(report[`${name}_score`])}${counts(name)}`),
    ...Object.entries(report.benchmark_scores).map(([name, value]) => `${name} ${number(value)}`),
    `${report.passed_tasks} of ${report.total_tasks} answered, ${report.failed_tasks} failed; ${report.total_tokens} tokens, ${cost}`,
  ]
}
