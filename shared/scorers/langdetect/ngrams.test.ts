import { expect, test } from 'vitest'
import { knownGrams } from './ngrams.ts'
import { profilesOf } from './testing/tiny-profiles.ts'

const grams = (text: string, ...known: string[]) => knownGrams([...text], profilesOf(...known)).map((gram) => known[gram])

test('[SCORE24] n-grams of one to three characters are read at every character, a space before the first', () => {
  const known = ['a', 'b', ' a', 'ab', ' ab', 'b ', 'ab ', ' ']
  expect(grams('ab, ab', ...known)).toEqual(['a', ' a', 'b', 'ab', ' ab', 'b ', 'ab ', 'a', ' a', 'b', 'ab', ' ab'])
})

test('[SCORE24] n-grams that end within two capitals or more are left out', () => {
  expect(grams('ABCd', 'A', 'B', 'C', 'd', ' A', 'AB', 'Cd', 'BCd')).toEqual(['A', ' A', 'd', 'Cd', 'BCd'])
})

test('[SCORE24] characters of one class are one character', () => {
  const known = ['\u3042', '\u30a2', '\u3105', '\uac00', '\u1ec3', '\u015f', '\u064a', '\u4e00', '\u4e03']
  expect(grams('\u304b\u30ab\u3106\u31a0\ud55c\u1eb9\u0219\u06cc\u4e8c\u4e03', ...known)).toEqual([
    '\u3042',
    '\u30a2',
    '\u3105',
    '\u3105',
    '\uac00',
    '\u1ec3',
    '\u015f',
    '\u064a',
    '\u4e00',
    '\u4e03',
  ])
  expect(grams('a\u00a0a\u2014a1a\u00e9', 'a ', 'a1', 'a\u00e9')).toEqual(['a ', 'a ', 'a ', 'a\u00e9'])
})
