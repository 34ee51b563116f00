import { expect, test } from 'vitest'
import { scoreText } from '#shared/metrics/score-text.ts'
import { passAtKs, passRate } from './pass-rate.ts'

test('[UI133] a pass rate has its interval and n; broken episodes are neither, and without a graded one there is none', () => {
  expect(scoreText(passRate({ passed: 7, failed: 3 }))).toBe('70.0 % (39.7–89.2)  n = 10')
  expect(scoreText(passRate({ passed: 1, failed: 0 }))).toBe('100.0 % (20.7–100.0)  n = 1')
  expect(scoreText(passRate({ passed: 0, failed: 0 }))).toBe('–')
})

test('[UI135] pass@k is told for the k that there are graded episodes for, and not where rewards lie between 0 and 1', () => {
  expect(passAtKs({ passed: 3, failed: 2, mean_reward: 0.6 })).toEqual([
    { k: 2, share: expect.closeTo(0.9) },
    { k: 5, share: 1 },
  ])
  expect(passAtKs({ passed: 0, failed: 10, mean_reward: 0 }).map(({ share }) => share)).toEqual([0, 0, 0])
  expect(passAtKs({ passed: 1, failed: 0, mean_reward: 1 })).toEqual([])
  expect(passAtKs({ passed: 1, failed: 3, mean_reward: 0.5 })).toEqual([])
})
