import type { Estimate, Run } from '#shared/contract/api.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { groupEstimate, overallEstimate, tallyEstimate } from '#shared/metrics/estimate.ts'
import { scoreWarning } from '#shared/run/score-warning.ts'

export type GroupScore = { name: string; failed: number; estimate: Estimate }
/** `warning`: what a reader must know beside the score. */
export type BenchmarkScore = { estimate: Estimate; groups: GroupScore[]; warning: string | null }
export type Scores = { overall: Estimate; benchmarks: Record<string, BenchmarkScore> }

/**
 * Scores with their intervals at the given state of a run. For the state that the API answered with, its own scores stand, as they may be
 * the recorded metrics of an ended run; for a later one they are computed from the counts as the API computes them.
 */
export function scoresAt(run: Pick<Run, 'spec' | 'head' | 'estimate' | 'benchmarks'>, head: RunHead): Scores {
  if (head.seq <= run.head.seq) {
    const given = run.benchmarks.map(
      ({ benchmark_name, estimate, groups, warning = null }) => [benchmark_name, { estimate, groups: byName(groups), warning }] as const,
    )
    return { overall: run.estimate, benchmarks: Object.fromEntries(given) }
  }
  const computed = run.spec.benchmarks.map((planned) => {
    const whole = head.benchmarks[planned.name]!
    const groups = Object.entries(head.groups[planned.name] ?? {}).map(([name, tally]) => ({
      name,
      failed: tally.failed,
      estimate: groupEstimate(tally, name, planned, whole),
    }))
    const estimate = tallyEstimate(whole, planned)
    return [planned.name, { estimate, groups: byName(groups), warning: scoreWarning(whole, planned, head) }] as const
  })
  return { overall: overallEstimate(computed.map(([, { estimate }]) => estimate)), benchmarks: Object.fromEntries(computed) }
}

/** The database keeps JSON keys by length: no order that a reader could follow. */
function byName<G extends { name: string }>(groups: readonly G[]): G[] {
  return groups.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}
