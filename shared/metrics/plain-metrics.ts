import type { PlannedBenchmark, RunSpec, Tally } from '../contract/run.ts'

/** Values that the predecessor's `metrics` held for every benchmark; API and bundle both carry them. */
export type PlainMetrics = {
  accuracy: number | null
  correct: number
  sampled_items: number
  sampled_pct: number
  score: number | null
  subset_count: number | null
  subset_seed: string
  total_items: number
}

/** Computes the predecessor's eight metrics. `accuracy` is the mean score of the trials that could be scored, null without any. */
export function plainMetrics(
  plan: Pick<PlannedBenchmark, 'sampled_items' | 'total_items'>,
  subset: Pick<RunSpec['subset'], 'count' | 'seed'>,
  counts: Pick<Tally, 'right' | 'wrong' | 'score_sum'>,
  score: number | null,
): PlainMetrics {
  const scored = counts.right + counts.wrong
  return {
    accuracy: scored > 0 ? counts.score_sum / scored : null,
    correct: counts.right,
    sampled_items: plan.sampled_items,
    sampled_pct: (plan.sampled_items / plan.total_items) * 100,
    score,
    subset_count: subset.count,
    subset_seed: subset.seed,
    total_items: plan.total_items,
  }
}

/** Adds the value of every recorded metric that has a number, under its own name. The eight names keep their values. */
export function withOtherMetrics(
  plain: PlainMetrics,
  estimates: Readonly<Record<string, unknown>>,
): Record<string, number | string | null> {
  const others = Object.entries(estimates).flatMap(([name, estimate]) => {
    const value = typeof estimate === 'object' && estimate !== null && 'value' in estimate ? estimate.value : undefined
    return typeof value === 'number' && !Object.hasOwn(plain, name) ? [[name, value] as const] : []
  })
  return { ...plain, ...Object.fromEntries(others) }
}
