import { finitePopulationFactor } from './finite-population.ts'
import { clip, mean, noValue, z95 } from './interval.ts'
import type { MetricValue } from './port.ts'
import { wilson } from './wilson.ts'

/**
 * What intervals of metrics version 1 know of the draw: items planned (failed ones too) and items in the whole set, null where unknown.
 * Runs planned before version 2 keep this rule, so that their records and exports can still be computed anew.
 */
export type FirstDraw = { rule: 1; drawn: number; population: number | null }

/** The factor of version 1: only a planned subset is corrected, by the items that were scored. */
export function firstFactor(items: number, { drawn, population }: FirstDraw): number {
  return population !== null && drawn < population ? finitePopulationFactor(items, population) : 1
}

function methodOf(name: string, { drawn, population }: FirstDraw): string {
  return finitePopulationFactor(drawn, population) < 1 ? `${name}, finite population of ${population}` : name
}

/**
 * Mean of one value per item with the 95 % interval of version 1: Wilson for values that are all 0 or 1, else the standard error between items.
 * Both shrink with the share that was drawn, noise of generation included, which is why version 2 came.
 */
export function firstItemMean(values: readonly number[], draw: FirstDraw): MetricValue {
  if (values.length === 0) return noValue('mean over items')
  const value = mean(values)
  const n = values.length
  const factor = firstFactor(n, draw)
  if (values.every((v) => v === 0 || v === 1)) return { value, ...wilson(value, n, factor), n, method: methodOf('Wilson', draw) }
  const method = methodOf('standard error clustered by item', draw)
  if (n < 2) return { value, low: 0, high: 1, n, method }
  const variance = values.reduce((sum, v) => sum + (v - value) ** 2, 0) / (n - 1)
  const half = z95 * Math.sqrt(variance / n) * factor
  return { value, low: clip(value - half), high: clip(value + half), n, method }
}
