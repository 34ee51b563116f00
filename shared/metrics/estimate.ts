import type { Estimate } from '../contract/api.ts'
import type { PlannedBenchmark, Tally } from '../contract/run.ts'
import { finitePopulationFactor } from './finite-population.ts'
import { wilson } from './wilson.ts'

export const nothingScored: Estimate = { value: null, low: null, high: null, n: 0, method: 'none' }

/**
 * Score of the trials scored so far, with a 95 % Wilson interval. Repeats of an item count as one (the interval is that of n/epochs items),
 * which can only widen it. A drawn subset of a fixed data set is corrected for the size of the set.
 */
export function tallyEstimate(
  tally: Pick<Tally, 'right' | 'wrong' | 'score_sum'>,
  planned: Pick<PlannedBenchmark, 'epochs' | 'total_items' | 'sampled_items'>,
): Estimate {
  const n = tally.right + tally.wrong
  if (n === 0) return nothingScored
  const items = n / planned.epochs
  const value = tally.score_sum / n
  const drawn = planned.sampled_items < planned.total_items
  const factor = drawn ? finitePopulationFactor(items, planned.total_items) : 1
  const { low, high } = wilson(value, items, factor)
  return { value, low, high, n, method: planned.epochs > 1 ? 'wilson-per-item' : 'wilson' }
}

/**
 * Unweighted mean of the benchmarks' scores; null until every benchmark has one. The interval joins the benchmarks' own distances
 * in squares (MOVER, Zou & Donner 2008), as they rest on independent items.
 */
export function overallEstimate(estimates: readonly Estimate[]): Estimate {
  const n = estimates.reduce((sum, estimate) => sum + estimate.n, 0)
  const values = estimates.flatMap((estimate) => (estimate.value === null ? [] : [estimate.value]))
  if (values.length === 0 || values.length < estimates.length) return { ...nothingScored, n }
  if (estimates.length === 1) return estimates[0]!
  const value = values.reduce((sum, one) => sum + one, 0) / values.length
  const distance = (side: 'low' | 'high') =>
    Math.sqrt(estimates.reduce((sum, one) => sum + ((one[side] ?? one.value!) - one.value!) ** 2, 0)) / values.length
  return { value, low: value - distance('low'), high: value + distance('high'), n, method: 'mean-mover' }
}
