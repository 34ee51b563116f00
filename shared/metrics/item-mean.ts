import type { Draw } from './draw.ts'
import { firstItemMean } from './first-interval.ts'
import { mean, noValue } from './interval.ts'
import { limitsOf, type Sample, sampleFrom } from './limits.ts'
import type { MetricValue } from './port.ts'

/** The values that an item's answers gave, and how many answers were asked for. */
export type ItemValues = { values: readonly number[]; asked: number }

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/**
 * Mean over the items of the mean over each item's answers, with the intervals of both targets. Repeats of an item never count as
 * independent; items without an answer are left out.
 */
export function itemMean(items: readonly ItemValues[], draw: Draw): MetricValue {
  const means = items.filter((item) => item.values.length > 0).map((item) => mean(item.values))
  return draw.rule === 1 ? firstItemMean(means, draw) : estimateAround(mean(means), items, draw)
}

/** The same around a value that is not the plain mean of the items' values, such as a ratio. Needs the rule of version 2. */
export function estimateAround(value: number, items: readonly ItemValues[], draw: Extract<Draw, { rule: 2 }>): MetricValue {
  const scored = items.filter((item) => item.values.length > 0)
  if (scored.length === 0) return { ...noValue('mean over items'), target: draw.target, trials: 0, limits: null }
  const limits = limitsOf(sampleOf(value, items), draw)
  const trials = sum(scored.map((item) => item.values.length))
  return { value, ...limits[draw.target], n: scored.length, method: methodOf(draw, scored), target: draw.target, trials, limits }
}

function sampleOf(value: number, items: readonly ItemValues[]): Sample {
  const scored = items.filter((item) => item.values.length > 0)
  const repeated = scored.filter((item) => item.values.length > 1)
  return sampleFrom({
    value,
    items: scored.length,
    squares: sum(scored.map((item) => (mean(item.values) - value) ** 2)),
    repeated: repeated.length,
    within: sum(repeated.map((item) => variance(item.values))),
    step: mean(scored.map((item) => 1 / item.values.length)),
    least: sum(items.map((item) => sum(item.values) / item.asked)),
    answered: sum(items.map((item) => item.values.length / item.asked)),
  })
}

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1)
}

function methodOf({ target, population, complete }: Extract<Draw, { rule: 2 }>, scored: readonly ItemValues[]): string {
  if (target === 'as_answered') {
    if (population === null) return 'Wilson, size of the set unknown'
    return complete ? 'every item asked: what is missing as wrong and as right' : `Wilson, finite population of ${population}`
  }
  const noise = scored.some((item) => item.values.length > 1) ? 'noise of generation from repeats' : 'noise of generation at its bound'
  return `Wilson, ${noise}${population === null ? ', size of the set unknown' : ''}`
}
