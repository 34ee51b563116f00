import { expect, test } from 'vitest'
import { newText } from './new-text.ts'

test('[UI93] what came since the list was read is counted exactly while the page has all of it', () => {
  expect(newText({ arrived: 1200, held: 1200, fitting: 1200, searched: false })).toBe('1,200 new')
  expect(newText({ arrived: 40, held: 40, fitting: 7, searched: false })).toBe('7 new')
  expect(newText({ arrived: 40, held: 40, fitting: 0, searched: false })).toBeUndefined()
  expect(newText({ arrived: 0, held: 0, fitting: 0, searched: true })).toBeUndefined()
  // The record was read a moment behind the stream.
  expect(newText({ arrived: 3, held: 5, fitting: 5, searched: false })).toBe('5 new')
})

test('[UI93] a count that cannot be whole is called a part: the feed was outrun, or a search would have to look', () => {
  expect(newText({ arrived: 12_000, held: 200, fitting: 160, searched: false })).toBe('at least 160 new')
  expect(newText({ arrived: 12_000, held: 200, fitting: 0, searched: false })).toBe('look for new ones')
  expect(newText({ arrived: 3, held: 3, fitting: 0, searched: true })).toBe('look for new ones')
})
