import type { Tally } from '../contract/run.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { benchmarkEnd, runEnd } from './end-status.ts'
import type { Turn } from './turn.ts'

/** Trials of a tally that have ended, scored or not. */
export const doneOf = (tally: Tally): number => tally.right + tally.wrong + tally.failed

/** Mean score of the trials that were scored; null before the first. */
export function accuracyOf(tally: Tally): number | null {
  const scored = tally.right + tally.wrong
  return scored === 0 ? null : tally.score_sum / scored
}

/** Results accepted together: how many had no live lease any more, and how many of those were given up as lost. */
export type Batch = { results: TrialBrief[]; unleased: number; recovered: number }

/** Takes results in, then closes the benchmark and the run when they were the last. */
export function settle(turn: Turn, name: string, batch: Batch): void {
  const { results, unleased, recovered } = batch
  const tally = turn.head.benchmarks[name]!
  if (tally.status === 'pending') turn.emit('benchmark_started', { completed: doneOf(tally), total: tally.total }, name)
  const scored = results.filter((brief) => brief.outcome !== 'failed')
  const sum = tally.score_sum + scored.reduce((total, brief) => total + (brief.score ?? 0), 0)
  const n = tally.right + tally.wrong + scored.length
  const completed = doneOf(tally) + results.length
  turn.emit(
    'benchmark_progress',
    { completed, total: tally.total, current_accuracy: n ? sum / n : null, unleased, recovered, results },
    name,
  )
  if (completed < tally.total) return
  closeBenchmark(turn, name)
  if (turn.head.done === turn.head.total) closeRun(turn)
}

function closeBenchmark(turn: Turn, name: string): void {
  const tally = turn.head.benchmarks[name]!
  const completed = doneOf(tally)
  const status = benchmarkEnd(tally, turn.head.max_failure_share)
  if (status === null || status === 'failed') return turn.emit('benchmark_failed', { completed, total: tally.total }, name)
  turn.emit('benchmark_completed', { status, completed, total: tally.total, metrics: { accuracy: accuracyOf(tally) } }, name)
}

function closeRun(turn: Turn): void {
  const tallies = Object.values(turn.head.benchmarks)
  const status = runEnd(tallies.map((tally) => tally.status))
  if (status === null || status === 'failed') return turn.emit('run_failed', { status: 'failed', failed_benchmarks: tallies.length })
  const scores = tallies.map(accuracyOf).filter((score) => score !== null)
  turn.emit('run_completed', {
    status,
    overall_score: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    completed_benchmarks: tallies.filter((tally) => tally.status === 'succeeded').length,
  })
}
