import { expect, test } from 'vitest'
import { assumedDisagreement, plannedLimits, smallestDetectable, smallestDetectableMean } from './plan-limits.ts'

const half = ({ low, high }: { low: number; high: number }) => (high - low) * 50
const planned = (sampled_items: number, total_items: number, epochs = 1) => ({ sampled_items, total_items, epochs })

test('[STAT2] planned limits as answered for MMLU-Pro at 75 % shrink with the share that is drawn, to nothing', () => {
  const points = (share: number) => half(plannedLimits(0.75, planned(Math.round(12032 * share), 12032)).as_answered)
  expect([0.01, 0.05, 0.1, 0.25, 0.5, 1].map((share) => Number(points(share).toFixed(1)))).toEqual([7.7, 3.4, 2.3, 1.3, 0.8, 0])
})

test('[STAT90] planned limits of what to expect never shrink to nothing: a full run is as sure as its answers', () => {
  const points = (share: number) => half(plannedLimits(0.5, planned(Math.round(12032 * share), 12032)).expected)
  expect(points(0.99)).toBeCloseTo(0.9, 1)
  expect(points(1)).toBeCloseTo(0.9, 1)
  expect(points(1)).toBeLessThan(points(0.99))
})

test('[STAT90] limits are shown at more than one score, as they are half as wide near the end of the scale', () => {
  const of = (score: number) => plannedLimits(score, planned(42, 100_000)).expected
  expect(half(of(0.5))).toBeCloseTo(15.5, 1)
  expect(half(of(0.93))).toBeLessThan(half(of(0.5)) * 0.6)
})

test('[STAT89] the smallest difference that is found is found: a paired test has 80 % power there and less below', () => {
  for (const items of [198, 600]) {
    const found = smallestDetectable(items)!
    expect(Math.abs(power(items, found) - 0.8)).toBeLessThan(0.03)
    expect(power(items, found * 0.8)).toBeLessThan(0.65)
  }
})

test('[STAT89] few items find nothing, more find less, and asking a whole set does not make it 0', () => {
  expect([1, 3, 5].map(smallestDetectable)).toEqual([null, null, null])
  expect(smallestDetectable(30)!).toBeGreaterThan(smallestDetectable(300)!)
  expect(smallestDetectable(12032)! * 100).toBeCloseTo(1.47, 1)
  expect(smallestDetectableMean([600, 600])).toBeCloseTo(smallestDetectable(600)! / Math.SQRT2, 6)
  expect([smallestDetectableMean([600, 2]), smallestDetectableMean([])]).toEqual([null, null])
})

/** Share of seeded comparisons in which McNemar's test finds that one of two models is better by `difference`. */
function power(items: number, difference: number): number {
  let state = 1
  const uniform = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  const better = (assumedDisagreement + difference) / 2
  let found = 0
  const comparisons = 4000
  for (let i = 0; i < comparisons; i++) {
    let [only, other] = [0, 0]
    for (let item = 0; item < items; item++) {
      const drawn = uniform()
      if (drawn < better) only++
      else if (drawn < assumedDisagreement) other++
    }
    if (Math.abs(only - other) > 1.959964 * Math.sqrt(only + other)) found++
  }
  return found / comparisons
}
