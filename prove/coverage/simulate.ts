import { type Target, targets } from '#shared/contract/estimate.ts'
import { limitsOf, sampleFrom } from '#shared/metrics/limits.ts'
import { subsetSize } from '#shared/run/plan.ts'
import { createRandom } from '../sim/random.ts'
import { type Beta, betaQuantiles } from './beta.ts'

export type Simulation = {
  /** Items in the whole set. */
  items: number
  beta: Beta
  epochs: number
  subsets_pct: readonly number[]
  simulations: number
  seed: number
}
/** How often the interval of a target held what it speaks of, by epochs (from 1) and subset. */
export type Coverage = Record<Target, number[][]>

/** Sums over the first items of a set after some epochs, as every subset of it reads them. */
type Prefix = { items: number; right: number; squares: number; within: number }

/**
 * Draws sets of items, lets a model answer each item in every epoch, and counts how often the intervals of each subset hold the score of the
 * whole set as answered, and the mean of the items' probabilities. Subsets are beginnings of the set, as the plan draws them.
 */
export function simulateCoverage({ items, beta, epochs, subsets_pct, simulations, seed }: Simulation): Coverage {
  const uniform = createRandom(seed).next
  const quantiles = betaQuantiles(beta)
  const sizes = subsets_pct.map((pct) => subsetSize(items, { pct, count: null }))
  const held = { as_answered: zeros(epochs, sizes.length), expected: zeros(epochs, sizes.length) }
  const chances = new Float64Array(items)
  const right = new Uint8Array(items)
  for (let simulation = 0; simulation < simulations; simulation++) {
    let sum = 0
    for (let item = 0; item < items; item++) {
      chances[item] = quantiles[Math.floor(uniform() * quantiles.length)]!
      sum += chances[item]!
    }
    right.fill(0)
    for (let epoch = 1; epoch <= epochs; epoch++) {
      for (let item = 0; item < items; item++) if (uniform() < chances[item]!) right[item]!++
      const prefixes = prefixesOf(right, epoch, sizes)
      const truth = { as_answered: prefixes.at(-1)!.right / epoch / items, expected: sum / items }
      for (const [column, prefix] of prefixes.slice(0, sizes.length).entries()) {
        const limits = limitsAt(prefix, epoch, items)
        for (const target of targets) {
          const { low, high } = limits[target]
          if (low - 1e-12 <= truth[target] && truth[target] <= high + 1e-12) held[target][epoch - 1]![column]!++
        }
      }
    }
  }
  const shares = (counts: number[][]) => counts.map((row) => row.map((count) => count / simulations))
  return { as_answered: shares(held.as_answered), expected: shares(held.expected) }
}

const zeros = (rows: number, columns: number): number[][] => Array.from({ length: rows }, () => Array(columns).fill(0))

/** The sums at each size, and at the end those of the whole set. */
function prefixesOf(right: Uint8Array, epochs: number, sizes: readonly number[]): Prefix[] {
  const found: Prefix[] = []
  const sums = { right: 0, squares: 0, within: 0 }
  let size = 0
  for (let item = 0; item <= right.length; item++) {
    while (size < sizes.length && sizes[size] === item) {
      found.push({ items: item, ...sums })
      size++
    }
    if (item === right.length) break
    const share = right[item]! / epochs
    sums.right += right[item]!
    sums.squares += share ** 2
    if (epochs > 1) sums.within += (epochs / (epochs - 1)) * share * (1 - share)
  }
  return [...found, { items: right.length, ...sums }]
}

function limitsAt({ items, right, squares, within }: Prefix, epochs: number, population: number) {
  const least = right / epochs
  const value = least / items
  const sample = sampleFrom({
    value,
    items,
    squares: Math.max(0, squares - items * value ** 2),
    repeated: epochs > 1 ? items : 0,
    within,
    step: 1 / epochs,
    least,
    answered: items,
  })
  return limitsOf(sample, { population, complete: items === population })
}
