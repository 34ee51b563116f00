import { benchmarkEnd, runEnd } from '../run/end-status.ts'
import type { Results } from './bundle-schema.ts'
import type { Sums } from './summarise.ts'

/** Why a run or one of its benchmarks cannot have the status it says, by its counts; null when it can. */
export function statusFault({ benchmarks, spec, run }: Results, sums: readonly Sums[]): string | null {
  const ends = benchmarks.map(({ plan }, index) => {
    const { right, wrong, failed } = sums[index]!
    const total = plan.sampled_items * plan.epochs
    return { total, failed, done: right + wrong + failed, status: benchmarkEnd({ right, wrong, failed, total }, spec.max_failure_share) }
  })
  for (const [index, { benchmark_name, status }] of benchmarks.entries()) {
    const end = ends[index]!
    const told = end.status ?? 'skipped'
    if (status !== told)
      return `${benchmark_name} is ${told}, with ${end.done} of ${end.total} trials done and ${end.failed} failed (at most ${spec.max_failure_share * 100} % may); the bundle says ${status}`
  }
  const status = runEnd(ends.map((end) => end.status)) ?? 'canceled'
  if (run.status === status) return null
  const sum = (of: (end: (typeof ends)[number]) => number) => ends.reduce((total, end) => total + of(end), 0)
  return `the run is ${status}, with ${sum((end) => end.done)} of ${sum((end) => end.total)} trials done and ${sum((end) => end.failed)} failed; the bundle says ${run.status}`
}
