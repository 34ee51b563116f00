import { expect, test } from 'vitest'
import type { Estimate } from '#shared/contract/api.ts'
import { overallEstimate, tallyEstimate } from '#shared/metrics/estimate.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { wholeScore, wholeTitle } from './whole-score.ts'

const planned = testSpec().benchmarks[0]!
const estimateOf = (right: number, wrong: number) => tallyEstimate({ right, wrong, score_sum: right }, planned)
const none = estimateOf(0, 0)

function scoresOf(...estimates: Estimate[]) {
  const benchmarks = Object.fromEntries(estimates.map((estimate, index) => [`b${index}`, { estimate, groups: [], warning: null }]))
  return { overall: overallEstimate(estimates), benchmarks }
}

test('[UI94] while some benchmarks have no score, the mean of those that have is shown, and called that', () => {
  const [one, other] = [estimateOf(3, 1), estimateOf(1, 3)]
  const scores = scoresOf(one, none, other, none)
  expect(scores.overall.value).toBeNull()
  const whole = wholeScore(scores)
  expect(whole).toEqual({ estimate: overallEstimate([one, other]), known: 2, missing: 2 })
  expect([whole.estimate.value, whole.estimate.n]).toEqual([0.5, one.n + other.n])
  expect(wholeTitle(whole, ['A', 'B', 'C', 'D'])).toBe('Mean of 2 of 4 benchmarks')
  expect(wholeTitle(wholeScore(scoresOf(one, none)), ['A', 'B'])).toBe('1 of 2 benchmarks')
})

test('[UI94] with all scores or none the run has its own', () => {
  const all = scoresOf(estimateOf(3, 1), estimateOf(1, 3))
  expect(wholeScore(all)).toEqual({ estimate: all.overall, known: 2, missing: 0 })
  expect(wholeTitle(wholeScore(all), ['A', 'B'])).toBe('Mean of 2 benchmarks')
  const nothing = scoresOf(none, none)
  expect(wholeScore(nothing)).toEqual({ estimate: nothing.overall, known: 0, missing: 2 })
  expect(wholeTitle(wholeScore(nothing), ['A', 'B'])).toBe('Mean of 2 benchmarks')
  expect(wholeTitle(wholeScore(scoresOf(none)), ['MMLU-Pro'])).toBe('MMLU-Pro')
})
