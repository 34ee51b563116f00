import type { PlannedBenchmark } from '../contract/run.ts'
import { needsIn } from './match/match-run.ts'

/** How long an agent that stops waits for what it has in flight, in milliseconds: whoever stops it will not wait longer. */
export const drainMs = 25_000

/** How long an agent that loses a run may finish its trials there, in milliseconds: work of an hour is not thrown away for one that takes seconds. */
export function patienceMs(benchmarks: readonly Pick<PlannedBenchmark, 'needs'>[]): number {
  return Math.max(drainMs, ...benchmarks.map((planned) => 3000 * needsIn(planned).typical_seconds))
}
