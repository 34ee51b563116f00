import { expect, test } from 'vitest'
import { finitePopulationFactor } from './finite-population.ts'
import { firstItemMean } from './first-interval.ts'
import { wilson } from './wilson.ts'

test('[STAT1] the Wilson interval has the figures of the literature', () => {
  // Newcombe 1998, method 3: 81 of 263, 15 of 148, 0 of 20 and 29 of 29.
  const figures = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [29, 29, 0.883, 1],
  ] as const
  for (const [right, n, low, high] of figures) {
    const interval = wilson(right / n, n)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  }
})

test('[STAT1] a full MMLU-Pro run is known to 0.9 points at worst', () => {
  const { low, high } = wilson(0.5, 12032)
  expect(((high - low) / 2) * 100).toBeCloseTo(0.9, 1)
})

test('[STAT2] the correction is 1 where the set is open or complete', () => {
  expect([finitePopulationFactor(5, null), finitePopulationFactor(5, 5), finitePopulationFactor(1, 1)]).toEqual([1, 1, 1])
  expect(finitePopulationFactor(1, 100)).toBe(1)
})

test('[STAT3] only a planned subset is corrected: failures in a full run do not narrow its interval', () => {
  const values = [1, 1, 0, 1]
  expect(firstItemMean(values, { rule: 1, drawn: 5, population: 5 })).toMatchObject({ ...wilson(0.75, 4), method: 'Wilson' })
  const subset = firstItemMean(values, { rule: 1, drawn: 4, population: 5 })
  expect(subset.method).toBe('Wilson, finite population of 5')
  expect(subset.high! - subset.low!).toBeLessThan(wilson(0.75, 4).high - wilson(0.75, 4).low)
})
