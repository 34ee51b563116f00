import { failureClass } from '../contract/failure.ts'
import { type HelperRole, roleEntries, rolesOf } from '../contract/role.ts'
import type { BenchmarkStatus, PlannedBenchmark, RunSpec, RunStatus } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { addUsage, noUsage, type Spent, type Usage } from '../contract/usage.ts'
import { plainMetrics } from '../metrics/plain-metrics.ts'
import { type BundleBenchmark, type BundleSpec, bundleFormat, type Results } from './bundle-schema.ts'
import { withheldFlag } from './export-item.ts'
import { legacyTime } from './legacy-json.ts'

/** What a bundle says that does not follow from its items: builder and verifier start from the same. */
export type BundleClaims = {
  spec: BundleSpec
  status: RunStatus
  started_at: string | null
  completed_at: string | null
  benchmarks: Record<string, BenchmarkClaims>
  spent: Results['spent']
  preflight?: Results['preflight']
  exported_at: string
  code_version: string
  git_sha: string | null
}
export type BenchmarkClaims = {
  status: BenchmarkStatus
  started_at: string | null
  completed_at: string | null
  /** Finished trials as the run counted them. */
  completed_items: number
  estimates: BundleBenchmark['estimates']
  metric_names: string[]
}

/** Running sums over the records of one benchmark, in the order of the plan. */
export type Sums = BundleBenchmark['result'] & {
  item_ids: Set<string>
  failures: Record<string, number>
  usage: Usage
  cost_usd: number | null
  /** Those that were asked. */
  roles: Partial<Record<HelperRole, Spent>>
}

export function openSums(): Sums {
  const counts = { right: 0, wrong: 0, failed: 0, unfinished: 0, score_sum: 0, withheld: 0 }
  return { ...counts, flags: {}, groups: {}, item_ids: new Set(), failures: {}, usage: noUsage, cost_usd: 0, roles: {} }
}

/** Adds one record to the sums. A cost that is unknown once is unknown in the sum. */
export function addRecord(sums: Sums, record: TrialRecord): void {
  const score = record.score ?? 0
  sums[record.outcome]++
  sums.score_sum += score
  sums.item_ids.add(record.item_id)
  Object.assign(sums, addSpent(sums, record))
  addRoles(sums.roles, rolesOf(record))
  if (record.flags.includes(withheldFlag)) sums.withheld++
  for (const flag of record.flags) bump(sums.flags, flag)
  if (record.failure) bump(sums.failures, failureClass(record.failure))
  if (record.group === null) return
  if (!Object.hasOwn(sums.groups, record.group)) define(sums.groups, record.group, { right: 0, wrong: 0, failed: 0, score_sum: 0 })
  const group = sums.groups[record.group]!
  group[record.outcome]++
  group.score_sum += score
}

/** One benchmark of `results.json` without its items. */
export function summariseBenchmark(
  plan: PlannedBenchmark,
  claims: BenchmarkClaims,
  subset: RunSpec['subset'],
  sums: Sums,
): BundleBenchmark {
  const done = sums.right + sums.wrong + sums.failed
  const scored = sums.right + sums.wrong
  const score = recordedScore(claims) ?? (scored > 0 ? sums.score_sum / scored : null)
  const { right, wrong, failed, score_sum, flags, groups, withheld } = sums
  return {
    benchmark_name: plan.name,
    status: claims.status,
    score,
    metrics: plainMetrics(plan, subset, sums, score),
    total_items: plan.total_items,
    sampled_items: plan.sampled_items,
    completed_items: done,
    sampled_item_ids: [...sums.item_ids],
    items: [],
    estimates: claims.estimates,
    metric_names: claims.metric_names,
    plan,
    result: { right, wrong, failed, unfinished: plan.sampled_items * plan.epochs - done, score_sum, flags, groups, withheld },
    timing: { started_at: claims.started_at, completed_at: claims.completed_at },
  }
}

/** `results.json` around its benchmarks. The overall score is the mean of the benchmarks' scores, null until each has one. */
export function summariseRun(claims: BundleClaims, benchmarks: BundleBenchmark[], sums: readonly Sums[]): Results {
  const { spec } = claims
  const scores = benchmarks.flatMap((benchmark) => (benchmark.score === null ? [] : [benchmark.score]))
  const totals = summariseTotals(benchmarks, sums)
  return {
    schema_version: '1.0',
    format: bundleFormat,
    exported_at: claims.exported_at,
    run: {
      id: spec.run_id,
      model_id: spec.model.id,
      model_slug: spec.model.slug,
      provider: spec.model.provider,
      subset_pct: spec.subset.pct,
      subset_count: spec.subset.count,
      subset_seed: spec.subset.seed,
      status: claims.status,
      selected_benchmarks: spec.benchmarks.map((benchmark) => benchmark.name),
      overall_score: scores.length === benchmarks.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null,
      error_message: totals.failed > 0 ? `${totals.failed} of ${totals.trials} trials could not be scored` : null,
      provider_metadata: null,
      started_at: legacyTime(claims.started_at),
      completed_at: legacyTime(claims.completed_at),
      created_at: legacyTime(spec.created_at),
      code_version: claims.code_version,
      git_sha: claims.git_sha,
    },
    benchmarks,
    spec,
    totals,
    spent: claims.spent,
    ...(claims.preflight && { preflight: claims.preflight }),
  }
}

/** The claims a bundle makes, read back from its results. */
export function claimsOf(results: Results): BundleClaims {
  return {
    spec: results.spec,
    status: results.run.status,
    started_at: results.run.started_at,
    completed_at: results.run.completed_at,
    benchmarks: Object.fromEntries(
      results.benchmarks.map(({ benchmark_name, status, completed_items, estimates, metric_names, timing }) => [
        benchmark_name,
        { status, completed_items, estimates, metric_names, ...timing },
      ]),
    ),
    spent: results.spent,
    preflight: results.preflight,
    exported_at: results.exported_at,
    code_version: results.run.code_version,
    git_sha: results.run.git_sha,
  }
}

function summariseTotals(benchmarks: readonly BundleBenchmark[], sums: readonly Sums[]): Results['totals'] {
  const add = (of: (result: BundleBenchmark['result']) => number) => benchmarks.reduce((sum, benchmark) => sum + of(benchmark.result), 0)
  const failures: Record<string, number> = {}
  const roles: Sums['roles'] = {}
  for (const one of sums) addRoles(roles, one.roles)
  for (const one of sums) for (const [name, count] of Object.entries(one.failures)) failures[name] = (failures[name] ?? 0) + count
  return {
    trials: benchmarks.reduce((sum, benchmark) => sum + benchmark.plan.sampled_items * benchmark.plan.epochs, 0),
    right: add((result) => result.right),
    wrong: add((result) => result.wrong),
    failed: add((result) => result.failed),
    unfinished: add((result) => result.unfinished),
    failures,
    ...sums.reduce<Spent>(addSpent, nothingSpent),
    ...(Object.keys(roles).length > 0 && { roles }),
  }
}

const nothingSpent: Spent = { usage: noUsage, cost_usd: 0 }

function addSpent(a: Spent, b: Spent): Spent {
  const cost_usd = a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd
  return { usage: addUsage(a.usage, b.usage), cost_usd }
}

function addRoles(sums: Sums['roles'], roles: Partial<Record<HelperRole, Spent>>): void {
  for (const [role, spent] of roleEntries(roles)) sums[role] = addSpent(sums[role] ?? nothingSpent, spent)
}

/** The first metric's value, once the run's end has recorded it. */
function recordedScore({ estimates, metric_names }: BenchmarkClaims): number | null {
  const first = metric_names[0] === undefined ? undefined : estimates[metric_names[0]]
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return null
  return typeof first.value === 'number' ? first.value : null
}

/** Adds a key that data chose; `__proto__` becomes a plain key too. */
function define<T>(into: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

function bump(counts: Record<string, number>, key: string): void {
  define(counts, key, (Object.hasOwn(counts, key) ? counts[key]! : 0) + 1)
}
