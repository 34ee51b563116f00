import { expect, test } from 'vitest'
import { lengthText } from '../ui/format.ts'
import { chipText, knownLength, type ListLength } from './list-length.ts'

const counts = { outcomes: { right: 0, wrong: 0, failed: 0 }, flags: {}, failures: {} }
const exact = (total: number): ListLength => ({ total, total_is: 'exact', counts, counts_are: 'exact' })
const atLeast = (total: number): ListLength => ({ total, total_is: 'at-least', counts, counts_are: 'at-least' })

test('[UI99] a list grows with what its pages tell, is never taken back, and ends where a page has seen its end', () => {
  expect(knownLength(atLeast(1001), atLeast(2001))).toEqual(atLeast(2001))
  expect(knownLength(atLeast(2001), atLeast(1001))).toEqual(atLeast(2001))
  expect(knownLength(atLeast(2001), exact(2001))).toEqual(exact(2001))
  expect(knownLength(exact(2250), atLeast(1001))).toEqual(exact(2250))
})

test('[UI99] a chip that cannot count all says so, and has no number where nothing was met', () => {
  expect([chipText(exact(1234), 1234, false), chipText(exact(7), 0, false)]).toEqual(['1,234', '0'])
  const numbers = [0, 1, 412, 1000, 1001, 2001]
  expect(numbers.map((number) => chipText(atLeast(2001), number, false))).toEqual(['', '1+', '412+', '1,000+', '1,000+', '2,000+'])
  const narrowed: ListLength = { ...exact(225), counts_are: 'at-least' }
  expect([chipText(narrowed, 225, true), chipText(narrowed, 225, false)]).toEqual(['225', '225+'])
})

test('[UI99] a list says more than how many it has', () => {
  expect([exact(1001), atLeast(1001), atLeast(2001)].map(lengthText)).toEqual(['1,001', 'more than 1,000', 'more than 2,000'])
})
