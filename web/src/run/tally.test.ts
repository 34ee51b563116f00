import { expect, test } from 'vitest'
import { byFrequency, sumTallies } from './tally.ts'

test('[UI20] counts add up', () => {
  expect(
    sumTallies([
      { right: 1, wrong: 2, failed: 3 },
      { right: 10, wrong: 0, failed: 0 },
    ]),
  ).toEqual({ right: 11, wrong: 2, failed: 3 })
  expect(sumTallies([])).toEqual({ right: 0, wrong: 0, failed: 0 })
})

test('[UI20] flags are listed by frequency, those taken back not at all', () => {
  expect(byFrequency({ truncated: 2, a: 5, gone: 0, b: 2 })).toEqual([
    ['a', 5],
    ['b', 2],
    ['truncated', 2],
  ])
})
