import { expect, test } from 'vitest'
import { restOf, type TimeLaw, untilLeft } from './time-law.ts'

const law: TimeLaw = { seconds: 20, spread: 0.5 }

test('[OPS4] what still runs shrinks from all to nothing, and untilLeft finds the moment', () => {
  const rest = restOf(law)
  expect(rest(0)).toBe(1)
  expect(rest(1000)).toBeLessThan(1e-4)
  for (const left of [0.9, 0.5, 0.1, 0.01]) expect(rest(untilLeft(rest, left))).toBeCloseTo(left, 4)
})

test('[OPS4] trials met at a random moment go on for longer than half of the mean, as long ones are met more often', () => {
  const rest = restOf(law)
  let mean = 0
  for (let second = 0; second < 300; second++) mean += (rest(second) + rest(second + 1)) / 2
  // Half of the mean square over the mean: 20 × exp(0.25) / 2.
  expect(mean).toBeCloseTo(12.84, 0)
})

test('[OPS21] the ages of trials under way tell how long the rest of them takes', () => {
  const early = untilLeft(restOf(law, [0, 0, 0, 0]), 0.5)
  const late = untilLeft(restOf(law, [15, 15, 15, 15]), 0.5)
  expect(early).toBeGreaterThan(16) // the median of a trial that begins: 20 × exp(-0.125)
  expect(early).toBeLessThan(19)
  expect(late).toBeLessThan(early - 8)
  expect(untilLeft(restOf(law, [0, 15]), 0.5)).toBeGreaterThan(late)
})

test('[OPS21] a trial that is older than any known goes on, for a tenth of the longest time or so', () => {
  const left = untilLeft(restOf({ ...law, shape: undefined }, [500]), Math.exp(-1))
  expect(left).toBeGreaterThan(1)
  expect(left).toBeLessThan(20)
  expect(restOf(law, [1e6])(1e6)).toBe(0)
})
