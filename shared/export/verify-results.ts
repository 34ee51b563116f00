import * as z from 'zod'
import type { PlannedBenchmark } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { besideMetrics } from '../metrics/measure.ts'
import { metricRowOf } from '../metrics/metric-row.ts'
import type { MetricRow } from '../metrics/port.ts'
import { manifestOf } from './bundle.ts'
import type { BundleItem, BundleSpec, Manifest, Results } from './bundle-schema.ts'
import { exportItem } from './export-item.ts'
import { legacyJson } from './legacy-json.ts'
import { addRecord, claimsOf, openSums, summariseBenchmark, summariseRun } from './summarise.ts'
import { checkCompleteness, type PlanPort } from './verify-completeness.ts'
import type { ReportWriter, VerifiedBenchmark } from './verify-report.ts'
import { openRescorer, type ScorerLoader } from './verify-scores.ts'

/** Metrics of one benchmark and what stands beside them, as the run's end computes them for what was planned. */
export type MetricsPort = (names: readonly string[], rows: readonly MetricRow[], plan: PlannedBenchmark) => Record<string, unknown>

/** What can be computed anew. Each part may be missing; its check is then listed as not made. */
export type Recomputation = { tasks?: ScorerLoader; computeMetrics?: MetricsPort; plan?: PlanPort }

type ItemSource = {
  benchmark: number
  text(): string
  parse(
    text: string,
  ): { success: true; data: BundleItem } | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } }
}
export type ReadResults = { results: Results; skeleton: string; bytes: number; manifest: Manifest; items: readonly ItemSource[] }

/** Computes anew what follows from the records and compares: item fields, scores, aggregates, metrics, manifest, plan. */
export async function verifyResults(read: ReadResults, options: Recomputation, report: ReportWriter): Promise<void> {
  const { results, items } = read
  const specs = results.benchmarks.map((benchmark) => benchmark.plan)
  const sums = specs.map(() => openSums())
  const rows = specs.map((): MetricRow[] => [])
  const done: Pick<TrialRecord, 'ordinal' | 'benchmark' | 'item_id' | 'epoch'>[] = []
  const rescorer = openRescorer(options.tasks, specs)
  let odd: string | null = null
  for (const item of items) {
    const text = item.text()
    const parsed = item.parse(text)
    if (!parsed.success) {
      odd ??= `item ${done.length}: /${parsed.error.issues[0]?.path.join('/')}: ${parsed.error.issues[0]?.message}`
      continue
    }
    const { record, created_at, withheld_sha256 } = parsed.data
    if (legacyJson(exportItem(record, created_at, withheld_sha256)) !== text)
      odd ??= `${nameOf(record)}: a field does not follow from its record`
    if (record.benchmark !== specs[item.benchmark]?.name) odd ??= `${nameOf(record)} is listed under ${specs[item.benchmark]?.name}`
    if (withheld_sha256 !== null && !specs[item.benchmark]?.gated) odd ??= `${nameOf(record)} is withheld, yet its data set is not gated`
    if (!isWhole(record)) odd ??= `${nameOf(record)}: outcome, score and failure do not fit together`
    addRecord(sums[item.benchmark]!, record)
    rows[item.benchmark]!.push(metricRowOf(record))
    done.push({ ordinal: record.ordinal, benchmark: record.benchmark, item_id: record.item_id, epoch: record.epoch })
    await rescorer.rescore(record, withheld_sha256 !== null, item.benchmark)
  }
  report.set({ items: items.length, rescored: rescorer.count(), results: verifiedBenchmarks(results) })
  report.check('fields', odd === null, odd ?? `every field of ${items.length} items follows from its record`)
  report.check('scores', ...rescorer.verdict())
  checkCompleteness(results, done, options.plan, report)
  checkAggregates(read, sums, report)
  checkMetrics(results, rows, options.computeMetrics, report)
}

/** Rebuilds the document around the items from what it claims and what its items add up to; it must be the same text. */
function checkAggregates(
  { results, skeleton, bytes, manifest }: ReadResults,
  sums: ReturnType<typeof openSums>[],
  report: ReportWriter,
): void {
  const claims = claimsOf(results)
  const spec: BundleSpec = results.spec
  const benchmarks = spec.benchmarks.flatMap((plan, index) => {
    const own = claims.benchmarks[plan.name]
    return own && sums[index] ? [summariseBenchmark(plan, own, spec.subset, sums[index])] : []
  })
  const rebuilt = summariseRun(claims, benchmarks, sums)
  const same = legacyJson(rebuilt) === skeleton
  report.check('aggregates', same, same ? 'counts, sums and scores follow from the items' : differenceOf(rebuilt, JSON.parse(skeleton), ''))
  const expected = manifestOf(results, manifest.results_sha256, bytes, manifest.public_key_fingerprint)
  const agrees = legacyJson(expected) === legacyJson(manifest)
  report.check('consistency', agrees, agrees ? 'manifest and results agree' : `manifest: ${differenceOf(expected, manifest, '')}`)
}

function checkMetrics(results: Results, rows: MetricRow[][], compute: MetricsPort | undefined, report: ReportWriter): void {
  if (!compute) return void report.check('metrics', null, 'no metrics were given to compute with')
  let compared = 0
  const left: string[] = []
  for (const [index, benchmark] of results.benchmarks.entries()) {
    const names = benchmark.metric_names.filter((name) => name in benchmark.estimates)
    const stray = Object.keys(benchmark.estimates).find((key) => !names.includes(key) && !besideMetrics.some((known) => known === key))
    if (stray !== undefined) return void report.check('metrics', false, `${benchmark.benchmark_name}: ${stray} is no metric of it`)
    if (names.length === 0) continue
    const again = benchmark.result.withheld > 0 ? undefined : tryCompute(compute, names, rows[index]!, benchmark.plan)
    if (!again) {
      left.push(benchmark.benchmark_name)
      continue
    }
    for (const name of [...names, ...besideMetrics.filter((key) => key in benchmark.estimates)]) {
      if (!nearlyEqual(again[name], benchmark.estimates[name])) {
        return void report.check('metrics', false, `${benchmark.benchmark_name}: ${name} is not what its items give`)
      }
      compared++
    }
  }
  const not = left.length > 0 ? `; not those of ${left.join(', ')}, whose answers are withheld or whose metrics are not known here` : ''
  report.check(
    'metrics',
    compared > 0 ? true : null,
    compared > 0 ? `${compared} metrics computed anew${not}` : 'no metric is recorded that could be computed',
    compared > 0 && left.length > 0,
  )
}

/** The benchmarks' results as the bundle has them; an interval only where its headline metric is recorded with one. */
function verifiedBenchmarks(results: Results): VerifiedBenchmark[] {
  return results.benchmarks.map(({ benchmark_name, score, estimates, metric_names, result }) => {
    const headline = Headline.safeParse(estimates[metric_names[0] ?? ''])
    const { right, wrong, failed, unfinished } = result
    const { low, high, n } = headline.success ? headline.data : { low: null, high: null, n: right + wrong }
    return { benchmark_name, score, low, high, n, right, wrong, failed, unfinished }
  })
}

const Headline = z.object({ low: z.number().nullable(), high: z.number().nullable(), n: z.int() })

/** Undefined where this verifier does not know one of the metrics. */
function tryCompute(compute: MetricsPort, names: string[], rows: MetricRow[], plan: PlannedBenchmark): Record<string, unknown> | undefined {
  try {
    return compute(names, rows, plan)
  } catch {
    return undefined
  }
}

const isWhole = (record: TrialRecord): boolean =>
  record.outcome === 'failed' ? record.failure !== null && record.score === null : record.failure === null && record.score !== null

const nameOf = (record: TrialRecord): string => `${record.benchmark} item ${record.item_id}, epoch ${record.epoch}`

/** Equal up to the last digits in which engines' Math functions differ. */
function nearlyEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const left = Object.entries(a)
  return left.length === Object.keys(b).length && left.every(([key, value]) => nearlyEqual(value, (b as Record<string, unknown>)[key]))
}

/** Names the first place where two documents differ. */
function differenceOf(expected: unknown, told: unknown, path: string): string {
  if (typeof expected === 'object' && typeof told === 'object' && expected !== null && told !== null) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(told)])) {
      const difference = differenceOf((expected as Record<string, unknown>)[key], (told as Record<string, unknown>)[key], `${path}/${key}`)
      if (difference) return difference
    }
    return ''
  }
  return Object.is(expected, told) ? '' : `${path} should be ${JSON.stringify(expected)}, is ${JSON.stringify(told)}`.slice(0, 300)
}
