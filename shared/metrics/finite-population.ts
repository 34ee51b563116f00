import { z95 } from './interval.ts'

/** `√((N−n)/(N−1))`: how much narrower an interval gets when `n` of `N` items are drawn without replacement; 1 where the set is open or complete. */
export function finitePopulationFactor(drawn: number, population: number | null): number {
  if (population === null || population <= 1 || drawn >= population) return 1
  return Math.sqrt((population - drawn) / (population - 1))
}

/** Half width (95 %) to expect at a share `p` when `n` of `population` items are drawn; what a planner shows before a run. */
export function subsetHalfWidth(p: number, n: number, population: number | null): number {
  return z95 * Math.sqrt((p * (1 - p)) / n) * finitePopulationFactor(n, population)
}
