import type { Limits, Target } from '../contract/estimate.ts'
import { type MeasuredPlan, populationOf } from './draw.ts'
import { z95 } from './interval.ts'
import { limitsOf } from './limits.ts'

/** Scores at which a plan shows its limits: what comes out is not known yet, and near 0 or 100 % they are narrower than at 50 %. */
export const plannedScores = [0.5, 0.75, 0.9] as const

/**
 * The 95 % limits to expect around a score when all of the plan is answered, by the rule of the score itself. How much repeats will agree is
 * not known: they are taken to agree between items and to be all noise within them, so that what comes out is no wider.
 */
export function plannedLimits(
  score: number,
  plan: Pick<MeasuredPlan, 'total_items' | 'sampled_items' | 'epochs' | 'chosen'>,
): Record<Target, Limits> {
  const { sampled_items: items, epochs } = plan
  const population = populationOf(plan)
  const whole = { least: score * items, answered: items }
  const sample = { value: score, items, spread: 1, noise: 1 / epochs, step: 1 / epochs, ...whole }
  return limitsOf(sample, { population, complete: items >= population })
}

/** Share of items on which two models are taken to differ when nothing is known of them yet. */
export const assumedDisagreement = 1 / 3
/** McNemar's exact test finds nothing in fewer differing items, even if all of them speak for one side. */
const fewest = 6
/** One-sided 80 % quantile of the normal distribution: the power of a planned comparison. */
const z80 = 0.841621

/**
 * The smallest difference between two models that both answer the same `items` which a paired test finds in four of five cases at 5 %,
 * two-sided (Connor 1987), when they differ on a third of the items; null where no difference would be found. Items stand for others of
 * their kind, so asking the whole set does not make it 0; repeats are not counted on.
 */
export function smallestDetectable(items: number): number | null {
  const finds = (difference: number): boolean => {
    const differing = Math.max(assumedDisagreement, difference)
    const needed = z95 * Math.sqrt(differing) + z80 * Math.sqrt(Math.max(0, differing - difference ** 2))
    return difference * Math.sqrt(items) >= needed
  }
  if (items < fewest || !finds(1)) return null
  let [low, high] = [0, 1]
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (finds(middle)) high = middle
    else low = middle
  }
  return high
}

/** The same for the unweighted mean of several benchmarks; null where one of them finds nothing. */
export function smallestDetectableMean(items: readonly number[]): number | null {
  const each = items.map(smallestDetectable)
  if (each.length === 0 || each.includes(null)) return null
  return Math.sqrt(each.reduce<number>((sum, one) => sum + (one ?? 0) ** 2, 0)) / each.length
}
