import * as z from 'zod'
import type { PlannedBenchmark } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { besideMetrics } from '../metrics/measure.ts'
import { openMetricRows } from '../metrics/metric-row.ts'
import type { MetricRow } from '../metrics/port.ts'
import { type ReadArtifact, readEvidence } from '../run/evidence-apart.ts'
import { labelsOf } from '../run/run-labels.ts'
import { resultsOf } from './bundle.ts'
import type { BundleLine, Results } from './bundle-schema.ts'
import type { Bytes } from './byte-source.ts'
import type { Contents } from './contents.ts'
import { differenceOf, nearlyEqual } from './difference.ts'
import { legacyJson } from './legacy-json.ts'
import { claimsOf } from './summarise.ts'
import { openCompleteness, type PlanPort } from './verify-completeness.ts'
import { openCosts } from './verify-costs.ts'
import type { VerifyOptions } from './verify-options.ts'
import type { ReportWriter, VerifiedBenchmark, VerifyReport } from './verify-report.ts'
import { openRescorer, type ScorerLoader } from './verify-scores.ts'
import { statusFault } from './verify-status.ts'

/** Metrics of one benchmark and what stands beside them, as the run's end computes them for what was planned. */
export type MetricsPort = (names: readonly string[], rows: readonly MetricRow[], plan: PlannedBenchmark) => Record<string, unknown>

/** What can be computed anew. Each part may be missing; its check is then listed as not made. */
export type Recomputation = { tasks?: ScorerLoader; computeMetrics?: MetricsPort; plan?: PlanPort }

export type ResultChecks = {
  /** Looks at the next item. `same` says whether its writer would have written for it the `bytes` that are there. */
  add(benchmark: number, item: BundleLine, bytes: Bytes, same: boolean): Promise<void>
  /** Notes an item that is no item. */
  odd(why: string): void
  /** Checks all that follows from the items together; `skeleton` is the text of the results without them. */
  close(skeleton: string, report: ReportWriter): void
}

/**
 * Computes anew what follows from the records and compares: item fields, scores, costs, aggregates, metrics, status, plan. `readArtifact` gives
 * what the bundle encloses.
 */
export function openResultChecks(
  results: Results,
  contents: Contents,
  options: Recomputation & Pick<VerifyOptions, 'now' | 'openSha256'>,
  readArtifact: ReadArtifact,
): ResultChecks {
  const specs = results.benchmarks.map((benchmark) => benchmark.plan)
  const rows = specs.map((): MetricRow[] => [])
  const rowOf = openMetricRows()
  const rescorer = openRescorer(options.tasks, specs)
  const completeness = openCompleteness(results, options.plan)
  const costs = openCosts(results)
  let items = 0
  let odd: string | null = null
  return {
    odd(why) {
      odd ??= `item ${items}: ${why}`
      items++
    },
    async add(benchmark, item, bytes, same) {
      const { record, withheld_sha256 } = item
      odd ??= oddOf(item, same, specs[benchmark])
      const artifact = contents.add(benchmark, item, bytes)
      if (artifact) odd ??= `${nameOf(record)}: ${artifact}`
      items++
      rows[benchmark]?.push(rowOf(record))
      completeness.add(record)
      costs.add(record, specs[benchmark])
      const withheld = withheld_sha256 !== null
      const evidence = withheld ? record.evidence : await readEvidence(record, readArtifact, options.openSha256)
      await rescorer.rescore(record, evidence, withheld, benchmark)
    },
    close(skeleton, report) {
      report.set({ ...summaryOf(results), items, rescored: rescorer.count(), results: verifiedBenchmarks(results) })
      report.check('dates', ...datesOf(results, options.now))
      report.check('fields', odd === null, odd ?? `every field of ${items} items follows from its record`)
      report.check('scores', ...rescorer.verdict())
      report.check('completeness', ...completeness.verdict())
      const rebuilt = resultsOf(claimsOf(results), contents)
      const same = legacyJson(rebuilt) === skeleton
      const why = same ? 'counts, sums and scores follow from the items' : differenceOf(rebuilt, JSON.parse(skeleton), '')
      report.check('aggregates', same, why)
      report.check('costs', ...costs.verdict())
      const fault = statusFault(results, contents.sums)
      report.check('status', fault === null, fault ?? `${results.run.status}, as counts and failures make it`)
      checkMetrics(results, rows, options.computeMetrics, report)
    },
  }
}

/** What is wrong with one item by itself; null where nothing is. */
function oddOf({ record, withheld_sha256 }: BundleLine, same: boolean, plan: PlannedBenchmark | undefined): string | null {
  if (!same) return `${nameOf(record)}: a field does not follow from its record`
  if (record.benchmark !== plan?.name) return `${nameOf(record)} is listed under ${plan?.name}`
  if (withheld_sha256 !== null && !plan.gated) return `${nameOf(record)} is withheld, yet its data set is not gated`
  return isWhole(record) ? null : `${nameOf(record)}: outcome, score and failure do not fit together`
}

function datesOf({ exported_at }: Results, now: Date | undefined): [ok: boolean | null, detail: string] {
  const late = Date.parse(exported_at) - (now?.getTime() ?? Number.POSITIVE_INFINITY)
  return [now ? late < 86_400_000 : null, late < 86_400_000 ? exported_at : `exported in the future (${exported_at})`]
}

/** Whether a manifest is the one that belongs to its bundle; the check names the first difference. */
export function checkManifest(expected: object, told: object, report: ReportWriter): void {
  const agrees = legacyJson(expected) === legacyJson(told)
  report.check('consistency', agrees, agrees ? 'manifest and results agree' : `manifest: ${differenceOf(expected, told, '')}`)
}

/** What a bundle is about, in the predecessor's fields. */
function summaryOf({ run, exported_at, benchmarks, spec }: Results): Partial<VerifyReport> {
  return {
    run_id: run.id,
    model_slug: run.model_slug,
    subset_pct: run.subset_pct,
    subset_count: run.subset_count,
    subset_seed: run.subset_seed,
    overall_score: run.overall_score,
    exported_at,
    benchmark_count: benchmarks.length,
    labels: labelsOf(spec, spec.model.provider === 'demo'),
  }
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
