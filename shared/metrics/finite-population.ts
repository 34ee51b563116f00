/** `√((N−n)/(N−1))`: how much narrower an interval gets when `n` of `N` items are drawn without replacement; 1 where the set is open or complete. */
export function finitePopulationFactor(drawn: number, population: number | null): number {
  if (population === null || population <= 1 || drawn >= population) return 1
  return Math.sqrt((population - drawn) / (population - 1))
}
