import type { BenchmarkStatus, RunStatus, Tally } from '../contract/run.ts'

type Counts = Pick<Tally, 'right' | 'wrong' | 'failed' | 'total'>
type BenchmarkEnd = Extract<BenchmarkStatus, 'succeeded' | 'failed' | 'incomplete'>

/** How a benchmark ends with these counts; null while trials are left. */
export function benchmarkEnd({ right, wrong, failed, total }: Counts, max_failure_share: number): BenchmarkEnd | null {
  if (right + wrong + failed < total) return null
  if (failed === total) return 'failed'
  return failed / total > max_failure_share ? 'incomplete' : 'succeeded'
}

/** How a run ends whose benchmarks ended so; null while one has not. */
export function runEnd(ends: readonly (BenchmarkStatus | null)[]): Extract<RunStatus, 'succeeded' | 'failed' | 'incomplete'> | null {
  if (ends.includes(null)) return null
  if (ends.every((status) => status === 'failed')) return 'failed'
  return ends.every((status) => status === 'succeeded') ? 'succeeded' : 'incomplete'
}
