import { withholdForeign } from '../contract/foreign.ts'
import type { Preflight } from '../contract/preflight.ts'
import { rolesOf } from '../contract/role.ts'
import type { RunHead, RunSpec } from '../contract/run.ts'
import { type BundleBenchmark, BundlePreflight } from './bundle-schema.ts'
import { legacyTime } from './legacy-json.ts'
import type { BenchmarkClaims, BundleClaims } from './summarise.ts'

/** A run as the record stores it. */
export type EndedRun = { spec: RunSpec; head: RunHead; metrics: Record<string, Record<string, unknown>> }
export type ClaimOptions = {
  metric_names: (benchmark: string) => readonly string[]
  code_version: string
  git_sha?: string | null
  now: Date
}

/** What a bundle of this run says beside its items. The owner is left out. */
export function claimsOfRun({ spec, head, metrics }: EndedRun, options: ClaimOptions): BundleClaims {
  const { owner_id: _, budgets: _b, ...shown } = spec
  const exported_at = legacyTime(options.now.toISOString())
  const benchmarks = spec.benchmarks.map(({ name }): [string, BenchmarkClaims] => {
    const tally = head.benchmarks[name]!
    const { status, started_at, completed_at } = tally
    const estimates = JSON.parse(JSON.stringify(metrics[name] ?? {})) as BundleBenchmark['estimates']
    const completed_items = tally.right + tally.wrong + tally.failed
    return [name, { status, started_at, completed_at, completed_items, estimates, metric_names: [...options.metric_names(name)] }]
  })
  const roles = rolesOf(head)
  return {
    spec: shown,
    status: head.status,
    started_at: head.started_at,
    completed_at: head.completed_at,
    benchmarks: Object.fromEntries(benchmarks),
    spent: { usage: head.usage, cost_usd: head.cost_usd, retried: head.retried, ...(Object.keys(roles).length > 0 && { roles }) },
    ...(head.preflight?.found && { preflight: shownPreflight(head.preflight.found, spec) }),
    exported_at,
    code_version: options.code_version,
    git_sha: options.git_sha ?? null,
  }
}

const withoutWords = withholdForeign(BundlePreflight)

/** A bundle is for everybody: agents have no names in it, and where items are gated no words that may quote one. */
function shownPreflight({ agent_id: _, session: _s, ...found }: Preflight, { benchmarks }: Pick<RunSpec, 'benchmarks'>): BundlePreflight {
  return benchmarks.some(({ gated }) => gated) ? withoutWords(found) : found
}
