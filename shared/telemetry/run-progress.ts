import { failureReasons } from '../contract/failure.ts'
import { roleEntries, rolesOf } from '../contract/role.ts'
import type { RunHead, RunStatus } from '../contract/run.ts'
import { outcomes } from '../contract/trial.ts'
import { noUsage, type Spent } from '../contract/usage.ts'
import type { Pace, PaceSums } from '../run/pace.ts'
import type { CounterName, LabelsOf } from './metrics.ts'

/** What one series of a counter has come to. */
export type Sum = { [N in CounterName]: { name: N; labels: LabelsOf<N>; value: number } }[CounterName]

export const sum = <N extends CounterName>(name: N, labels: LabelsOf<N>, value: number): Sum => ({ name, labels, value }) as unknown as Sum // the union has a member for each name

/** What is left of a benchmark. A pace is null while nothing has been measured; the measurement is absent in what an earlier version told. */
type BenchmarkWork = {
  name: string
  profile: string
  open: number
  pace: Pace | null
  sums?: PaceSums
  /** Seconds for which trials under way have run, an even part of 64 at most. */
  ages?: readonly number[]
}
/** What is left of a run by benchmark; `model` is who is asked. */
export type RunWork = { model: string; benchmarks: BenchmarkWork[] }

/** What a run's object tells the fleet's of itself for those who watch the service: its whole sums, so that nothing is counted twice or lost on the way. */
export type RunProgress = {
  run_id: string
  status: RunStatus
  /** What it has come to since it began; a series with nothing in it is left out. */
  sums: readonly Sum[]
  /** How long the oldest of what it holds has waited to leave for the record, in ms; 0 where all has left. */
  drain_lag_ms: number
  /** How late its alarm rang at worst since it told last, in ms. */
  alarm_late_ms: number
  viewers: number
  /** Absent in what an earlier version told. */
  work?: RunWork
}

/** The sums of a run. They shrink only when its failed trials are asked again. */
export function sumsOf(head: RunHead): Sum[] {
  const tallies = Object.values(head.benchmarks)
  const failures = Object.entries(head.failures)
  const places = Object.keys(failureReasons) as (keyof typeof failureReasons)[]
  const spent: ['model' | ReturnType<typeof roleEntries>[number][0], Spent][] = [
    ['model', { usage: head.usage, cost_usd: head.cost_usd }],
    ...roleEntries(rolesOf(head)),
  ]
  return [
    ...outcomes.map((outcome) =>
      sum(
        'bench_trials_total',
        { outcome },
        tallies.reduce((all, tally) => all + tally[outcome], 0),
      ),
    ),
    ...places.map((at) =>
      sum(
        'bench_failures_total',
        { at },
        failures.reduce((all, [name, count]) => (name.startsWith(`${at}/`) ? all + count : all), 0),
      ),
    ),
    ...spent.flatMap(([role, { usage = noUsage, cost_usd }]) => [
      sum('bench_tokens_total', { role, kind: 'input' }, usage.input_tokens),
      sum('bench_tokens_total', { role, kind: 'output' }, usage.output_tokens),
      sum('bench_tokens_total', { role, kind: 'cached' }, usage.cached_tokens),
      sum('bench_tokens_total', { role, kind: 'reasoning' }, usage.reasoning_tokens),
      sum('bench_cost_usd_total', { role }, cost_usd ?? 0),
    ]),
  ].filter(({ value }) => value > 0)
}
