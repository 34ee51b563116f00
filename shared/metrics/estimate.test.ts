import { expect, test } from 'vitest'
import { nothingScored, overallEstimate, tallyEstimate } from './estimate.ts'
import { wilson } from './wilson.ts'

const whole = { epochs: 1, total_items: 100, sampled_items: 100 }

test('[STAT9] nothing scored has no score, and failures are no part of it', () => {
  expect(tallyEstimate({ right: 0, wrong: 0, score_sum: 0 }, whole)).toEqual(nothingScored)
  expect(tallyEstimate({ right: 3, wrong: 1, score_sum: 3 }, whole)).toEqual({ value: 0.75, n: 4, method: 'wilson', ...wilson(0.75, 4) })
})

test('[STAT9] repeats of an item do not narrow the interval, a drawn subset does', () => {
  const tally = { right: 60, wrong: 20, score_sum: 60 }
  const width = (planned: typeof whole) => {
    const { low, high } = tallyEstimate(tally, planned)
    return high! - low!
  }
  expect(width({ ...whole, epochs: 4 })).toBeGreaterThan(width(whole))
  expect(width({ ...whole, sampled_items: 80 })).toBeLessThan(width(whole))
})

test('[STAT9] the mean’s interval lies between and narrows with more benchmarks', () => {
  const one = { value: 0.5, low: 0.4, high: 0.6, n: 100, method: 'wilson' }
  const four = overallEstimate([one, one, one, one])
  expect(four).toMatchObject({ value: 0.5, n: 400 })
  expect(four.low).toBeCloseTo(0.45)
  expect(four.high).toBeCloseTo(0.55)
  expect(overallEstimate([one, nothingScored])).toMatchObject({ value: null, n: 100 })
  expect(overallEstimate([])).toEqual(nothingScored)
})
