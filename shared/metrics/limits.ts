import type { Limits, Target } from '../contract/estimate.ts'
import { clip, z95 } from './interval.ts'
import { wilson } from './wilson.ts'

/** What an interval has to know of a score. Variances are shares of their bound `value · (1 − value)`. */
export type Sample = {
  value: number
  /** Items scored. */
  items: number
  /** Variance of the items' scores, each the mean over its answers. */
  spread: number
  /** The part of it that is noise of generation. */
  noise: number
  /** What one answer weighs in its item: 1 with one answer an item, 1/k with k. */
  step: number
  /** Sum of the items' scores when every answer that is missing counts 0. */
  least: number
  /** How many items' worth of answers there are: an item with three of its four counts 0.75. */
  answered: number
}

/** Sums over the scored items of a benchmark. */
export type Sums = Pick<Sample, 'value' | 'items' | 'step' | 'least' | 'answered'> & {
  /** Of the squared distances of the items' scores from the value. */
  squares: number
  /** Items with more than one answer, and the sum of the variances of their answers. */
  repeated: number
  within: number
}

/**
 * Both variances are drawn towards their bound `value · (1 − value)` with the weight of one item, which keeps them honest where items are few
 * or agree by chance. Without repeats the noise cannot be told from the differences between items: it may be all of it.
 */
export function sampleFrom({ squares, repeated, within, ...sums }: Sums): Sample {
  const bound = clip(sums.value) * (1 - clip(sums.value))
  const share = (sum: number, weight: number) => (bound > 0 ? (sum + bound) / ((weight + 1) * bound) : 1)
  const spread = share(squares, sums.items)
  return { ...sums, spread, noise: repeated > 0 ? share(within, repeated) * sums.step : spread }
}

/** What an interval has to know of the draw. */
export type Drawn = {
  /** Items in the whole set; null where that is not known, and then nothing is corrected for it. */
  population: number | null
  /** Whether the whole set was asked, every trial of it. */
  complete: boolean
}

/**
 * The 95 % intervals of both targets. `expected`: the variance between items shrinks by the share of the set that was drawn, the noise of
 * generation does not. `as_answered`: what was answered is known, so only the rest of the set is uncertain; where all of it was asked, the
 * limits are the worst and the best case of what is missing. `npm run prove -- coverage` shows how often they hold.
 */
export function limitsOf(sample: Sample, drawn: Drawn): Record<Target, Limits> {
  return { as_answered: asAnswered(sample, drawn), expected: expected(sample, drawn.population) }
}

function asAnswered({ value, items, spread, step, least, answered }: Sample, { population, complete }: Drawn): Limits {
  if (population === null) return studentWilson(value, items, spread / items)
  const size = Math.max(population, items)
  const rest = size - items
  const possible = { low: least / size, high: (least + size - answered) / size }
  // Sums of thirds and the like leave dust: with nothing missing the limits are the value itself.
  if (rest === 0 && size - answered < 1e-9) return { low: value, high: value }
  if (complete || rest === 0) return holding(value, possible)
  const { low, high } = studentWilson(value, items, (rest / (size - 1)) * (spread / items))
  // What few answers can add comes in lumps: up to half of one on both sides.
  const lump = (Math.min(1, Math.sqrt(size) / (2 * rest)) * step) / (2 * size)
  return holding(value, { low: Math.max(low - lump, possible.low), high: Math.min(high + lump, possible.high) })
}

function expected({ value, items, spread, noise, step }: Sample, population: number | null): Limits {
  const drawn = population === null ? 0 : Math.min(1, items / population)
  const { low, high } = studentWilson(value, items, ((1 - drawn) * spread + drawn * noise) / items)
  const lump = step / (4 * items)
  return holding(value, { low: low - lump, high: high + lump })
}

/** Wilson's interval for a share whose variance is `variance · value · (1 − value)`, with Student's quantile for so many items. */
function studentWilson(value: number, items: number, variance: number): Limits {
  return variance > 0 ? wilson(value, 1 / variance, 1, studentQuantile(items)) : { low: value, high: value }
}

/** Two-sided 95 % quantile of Student's distribution, to the first order in 1/n: 1.98 for 120 items, 2.2 for 10, finite for one. */
export function studentQuantile(items: number): number {
  return z95 + (z95 ** 3 + z95) / (4 * items)
}

function holding(value: number, { low, high }: Limits): Limits {
  return { low: clip(Math.min(value, low)), high: clip(Math.max(value, high)) }
}
