import type { Estimate } from '#shared/contract/api.ts'
import { overallEstimate } from '#shared/metrics/estimate.ts'
import type { Scores } from './live-scores.ts'

export type WholeScore = {
  /** The mean of what exists; of a part of the benchmarks it is no score of the run. */
  estimate: Estimate
  /** Benchmarks that have a score, and those that have none yet. */
  known: number
  missing: number
}

/** The score a run's page begins with: its overall score, or while some benchmarks have none the mean of those that have. */
export function wholeScore(scores: Scores): WholeScore {
  const all = Object.values(scores.benchmarks)
  const known = all.flatMap(({ estimate }) => (estimate.value === null ? [] : [estimate]))
  const missing = all.length - known.length
  return { estimate: known.length > 0 && missing > 0 ? overallEstimate(known) : scores.overall, known: known.length, missing }
}

/** What that score is one of: `MMLU-Pro`, `Mean of 3 benchmarks`, `Mean of 2 of 4 benchmarks`. */
export function wholeTitle({ known, missing }: WholeScore, names: readonly string[]): string {
  const all = known + missing
  if (all === 1) return names[0] ?? ''
  if (known === 0 || missing === 0) return `Mean of ${all} benchmarks`
  return known === 1 ? `1 of ${all} benchmarks` : `Mean of ${known} of ${all} benchmarks`
}
