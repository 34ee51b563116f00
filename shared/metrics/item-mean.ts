import { finitePopulationFactor } from './finite-population.ts'
import { clip, mean, noValue, z95 } from './interval.ts'
import type { MetricValue } from './port.ts'
import { wilson } from './wilson.ts'

/** What an interval has to know of the draw: items planned (failed ones too) and items in the whole set, null where that is unknown. */
export type Draw = { drawn: number; population: number | null }

function methodOf(name: string, draw: Draw): string {
  return finitePopulationFactor(draw.drawn, draw.population) < 1 ? `${name}, finite population of ${draw.population}` : name
}

/**
 * Mean of one value per item with a 95 % interval. Values that are all 0 or 1 are a share (Wilson); others are means over repeats, whose
 * standard error is taken between items, so that repeats of one item never count as independent (reference F).
 * The draw counts as a subset only when items were left out of the plan, not when some failed.
 */
export function itemMean(values: readonly number[], draw: Draw): MetricValue {
  if (values.length === 0) return noValue('mean over items')
  const value = mean(values)
  const n = values.length
  const factor = draw.population !== null && draw.drawn < draw.population ? finitePopulationFactor(n, draw.population) : 1
  if (values.every((v) => v === 0 || v === 1)) return { value, ...wilson(value, n, factor), n, method: methodOf('Wilson', draw) }
  const method = methodOf('standard error clustered by item', draw)
  if (n < 2) return { value, low: 0, high: 1, n, method }
  const variance = values.reduce((sum, v) => sum + (v - value) ** 2, 0) / (n - 1)
  const half = z95 * Math.sqrt(variance / n) * factor
  return { value, low: clip(value - half), high: clip(value + half), n, method }
}
