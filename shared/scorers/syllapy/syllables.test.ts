import { expect, test } from 'vitest'
import { syllables, syllapyDictionary } from './syllables.ts'

const dictionary = syllapyDictionary.parse({ 'data.csv': 'zorble,7\r\n"blip-blop",9\r\nshh,0\r\n' })
const count = (word: string) => syllables(word, dictionary)

test('[SCORE25] a word of the dictionary has its count there, in any case and without the signs around it', () => {
  expect(count(' "Zorble," ')).toBe(7)
  expect(count('blip-blop')).toBe(9)
})

test('[SCORE25] other words have the runs of their vowels, without a final e, with a final -le, at least one', () => {
  expect(['cake', 'table', 'rhythm', 'the', 'brr', 'ale', 'le', 'queue'].map(count)).toEqual([1, 2, 1, 1, 1, 1, 1, 1])
})

test('[SCORE25] texts without a word or with a digit of any script have none', () => {
  expect(['', ' ', '---', 'b2b', 'a٣'].map(count)).toEqual([0, 0, 0, 0, 0])
})

test('[SCORE25] compounds are the sum of their parts, and nothing when a part is nothing', () => {
  expect(count('self-zorble')).toBe(8)
  expect(count('mother-in-law')).toBe(4)
  expect(count('go--blip-blop')).toBe(10)
  expect(count('shh-zorble')).toBe(0)
  expect(count('a-\nb')).toBe(1)
  expect(count(`${'a-'.repeat(2000)}a`)).toBe(2001)
})

test('[SCORE25] a dictionary that does not fit is refused', () => {
  expect(() => syllapyDictionary.parse({})).toThrow('no lines')
  expect(() => syllapyDictionary.parse({ 'data.csv': 'word,many\n' })).toThrow('a word and a count')
})
