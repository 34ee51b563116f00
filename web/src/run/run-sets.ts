import type { Estimate, Run } from '#shared/contract/api.ts'
import { roleEntries, rolesOf } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'

type Seen = Pick<Run, 'estimate' | 'benchmarks'> & { spec: { benchmarks: PlannedBenchmark[]; subset: Run['spec']['subset'] } }

/**
 * What a score of a run is about: the same words for two runs mean the same items, asked and read in the same way. With `benchmark` it is that
 * benchmark's score, else the mean over all of the run's.
 */
export function setOf(run: Seen, benchmark?: string): string {
  const { subset } = run.spec
  const parts = run.spec.benchmarks
    .filter((one) => benchmark === undefined || one.name === benchmark)
    .map(({ name, version, profile, data, sampled_items, epochs, items, ...one }) => {
      const files = data.files.map((file) => file.sha256 ?? '').join()
      return [
        name,
        version,
        profile,
        data.source,
        data.revision,
        files,
        sampled_items,
        epochs,
        items?.join() ?? '',
        ...roleEntries(rolesOf(one)).map(([role, { model }]) => `${role} ${model.slug}`),
      ].join('|')
    })
  return [subset.seed, subset.sampling, ...parts.sort()].join(';')
}

/** The score that a list shows of a run: of the benchmark it is narrowed to, else the mean. */
export function shownEstimate(run: Pick<Run, 'estimate' | 'benchmarks'>, benchmark?: string): Estimate {
  return run.benchmarks.find((one) => one.benchmark_name === benchmark)?.estimate ?? run.estimate
}

/** Whether scores of these runs may stand on one axis: all of them are about the same set. */
export function oneSet(runs: readonly Seen[], benchmark?: string): boolean {
  return new Set(runs.map((run) => setOf(run, benchmark))).size <= 1
}

/** What a mean is a mean of: `mean of 5 benchmarks`; while some have no score there is no mean, but how many have. Nothing where there is one. */
export function meanOf(run: Pick<Run, 'benchmarks'>, benchmark?: string): string | undefined {
  const all = run.benchmarks.length
  if (benchmark !== undefined || all <= 1) return undefined
  const scored = run.benchmarks.filter((one) => one.estimate.value !== null).length
  return scored === all ? `mean of ${all} benchmarks` : `${scored} of ${all} benchmarks scored`
}

/** What tells like runs apart, in a line: `0b7c2d4e · 5 % · seed x · temperature 0.6`. */
export function describeRun(run: Pick<Run, 'id' | 'subset_count' | 'subset_pct' | 'subset_seed' | 'spec'>): string {
  const temperatures = [...new Set(run.spec.benchmarks.map((one) => one.params.temperature))]
  const [temperature] = temperatures
  return [
    run.id.slice(0, 8),
    shareText(run),
    ...(run.subset_seed === null ? [] : [`seed ${run.subset_seed}`]),
    ...(temperatures.length === 1 && temperature != null ? [`temperature ${temperature}`] : []),
    ...(run.spec.benchmarks.some((one) => one.epochs > 1) ? [`${Math.max(...run.spec.benchmarks.map((one) => one.epochs))} epochs`] : []),
  ].join(' · ')
}

function shareText({ spec: { benchmarks }, subset_count, subset_pct }: Pick<Run, 'subset_count' | 'subset_pct' | 'spec'>): string {
  if (benchmarks.some(({ chosen }) => chosen)) return 'chosen items'
  if (subset_count) return `${subset_count.toLocaleString('en-US')} items each`
  return subset_pct < 100 ? `${subset_pct} %` : 'every item'
}
