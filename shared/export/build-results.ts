import type { PlannedBenchmark } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { BundleBenchmark, Results } from './bundle-schema.ts'
import { exportItem, withoutText } from './export-item.ts'
import { legacyJson } from './legacy-json.ts'
import { addRecord, type BundleClaims, openSums, type Sums, summariseBenchmark, summariseRun } from './summarise.ts'

/** A trial as the record store pages it. */
export type ExportTrial = { record: TrialRecord; finished_at: string }
export type TrialPages = (benchmark: string) => AsyncIterable<readonly ExportTrial[]>
/** Digest of a record whose text is left out, or undefined where the text goes into the bundle. */
export type Withhold = (record: TrialRecord) => string | undefined

/**
 * Writes `results.json` piece by piece: one page of trials is in memory at a time. Trials must come in the order of the plan.
 * Returns what the document says, without its items. Text is ASCII; joined, it is the canonical legacy form.
 */
export async function* buildResults(
  claims: BundleClaims,
  pages: TrialPages,
  withhold: Withhold = () => undefined,
): AsyncGenerator<string, Results> {
  const benchmarks: BundleBenchmark[] = []
  const all: Sums[] = []
  yield '{"benchmarks":['
  for (const plan of claims.spec.benchmarks) {
    if (benchmarks.length > 0) yield ','
    const sums = openSums()
    benchmarks.push(yield* buildBenchmark(claims, plan, sums, pages(plan.name), withhold))
    all.push(sums)
  }
  const results = summariseRun(claims, benchmarks, all)
  const { benchmarks: _, ...rest } = results
  yield `],${legacyJson(rest).slice(1)}`
  return results
}

/** The count of finished items stands before the items: it is the plan's, and a store that yields another number is an error. */
async function* buildBenchmark(
  claims: BundleClaims,
  plan: PlannedBenchmark,
  sums: Sums,
  pages: AsyncIterable<readonly ExportTrial[]>,
  withhold: Withhold,
): AsyncGenerator<string, BundleBenchmark> {
  const own = claims.benchmarks[plan.name]!
  const head = { benchmark_name: plan.name, completed_items: own.completed_items, estimates: own.estimates }
  yield `${legacyJson(head).slice(0, -1)},"items":[`
  let separator = ''
  for await (const page of pages) {
    let text = ''
    for (const { record, finished_at } of page) {
      const digest = withhold(record)
      const shown = digest === undefined ? record : withoutText(record)
      addRecord(sums, shown)
      text += separator + legacyJson(exportItem(shown, finished_at, digest ?? null))
      separator = ','
    }
    yield text
  }
  const benchmark = summariseBenchmark(plan, own, claims.spec.subset, sums)
  if (benchmark.completed_items !== own.completed_items) {
    throw new IncompleteRecord(`${plan.name}: ${own.completed_items} trials are counted, ${benchmark.completed_items} are stored`)
  }
  const { benchmark_name: _n, completed_items: _c, estimates: _e, items: _i, ...tail } = benchmark
  yield `],${legacyJson(tail).slice(1)}`
  return benchmark
}

/** The stored trials are not those the run counted: nothing may be signed. */
export class IncompleteRecord extends Error {}
