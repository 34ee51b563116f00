import type { PlannedBenchmark, RunHead, RunSpec } from '#shared/contract/run.ts'
import { exampleHead, exampleSpec } from './example-run.ts'

const limits = (value: number, half: number) => ({ low: value - half, high: value + half })

/** A score of 100 items whose limits for the expected score are 0.06 away. */
export const exampleEstimate = (value: number) => ({
  ...{ value, low: value, high: value, n: 100, trials: 100, method: 'test', target: 'as_answered' as const },
  limits: { as_answered: limits(value, 0), expected: limits(value, 0.06) },
})

/** What is different of an ended run: its order, its one benchmark, its last state, trials that failed or are done, and how long it took. */
export type EndedRun = {
  spec?: Partial<Record<keyof RunSpec, unknown>>
  planned?: Partial<PlannedBenchmark>
  head?: Partial<RunHead>
  failed?: number
  done?: number
  minutes?: number
}

/** A run of one benchmark over all its 100 items, on data of this revision: its order and the state that ends it. */
export function exampleEndedRun(
  revision: string,
  { spec: changes = {}, planned = {}, failed = 0, done = 100, minutes = 5, head = {} }: EndedRun = {},
): { spec: RunSpec; ended: RunHead } {
  const plain = exampleSpec(changes)
  const data = { ...plain.benchmarks[0]!.data, revision }
  const spec = {
    ...plain,
    benchmarks: [{ ...plain.benchmarks[0]!, profile: 'official', total_items: 100, sampled_items: 100, data, ...planned }],
  }
  const tally = { total: 100, right: done - failed, wrong: 0, failed, score_sum: 0, flags: {}, status: 'succeeded' as const }
  const completed_at = `2026-11-01T10:${String(minutes).padStart(2, '0')}:00.000Z`
  const ended = exampleHead(spec, {
    ...{ status: 'succeeded', seq: 5, completed_at, cost_usd: 1.5 },
    benchmarks: { mmlu_pro: { ...tally, started_at: '2026-11-01T10:00:00.000Z', completed_at } },
    ...head,
  })
  return { spec, ended }
}
