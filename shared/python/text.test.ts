import { expect, test } from 'vitest'
import {
  codePoints,
  countOf,
  foldCase,
  hasWord,
  isAlnum,
  isAlpha,
  isDigit,
  isLower,
  isUpper,
  lstripChars,
  punctuation,
  removeChars,
  rstripChars,
  splitSpace,
  stripChars,
  wordRuns,
} from './text.ts'

test('[SCORE20] whitespace is that of Python: separators and next line belong to it, byte order marks do not', () => {
  expect(splitSpace(' a\x1cb\x85c\u3000d\ufeffe\u200bf \n')).toEqual(['a', 'b', 'c', 'd\ufeffe\u200bf'])
  expect(splitSpace(' \n')).toEqual([])
})

test('[SCORE20] a set of characters is stripped from the ends or removed everywhere, one code point at a time', () => {
  expect(punctuation).toHaveLength(32)
  expect(stripChars('.-a.b-\n.', punctuation)).toBe('a.b-\n')
  expect(lstripChars('😀😀a😀', '😀')).toBe('a😀')
  expect(rstripChars('a😃😀', '😀')).toBe('a😃')
  expect(stripChars('!!', '!')).toBe('')
  expect(stripChars(' a ', '')).toBe(' a ')
  expect(removeChars("don't (stop)", punctuation)).toBe('dont stop')
})

test('[SCORE20] case is judged by the letters that have one', () => {
  expect(isUpper('U.S. 1')).toBe(true)
  expect(isUpper('123')).toBe(false)
  expect(isUpper('ǅ')).toBe(false)
  expect(isUpper('Aª')).toBe(false)
  expect(isLower('straße, 中')).toBe(true)
  expect(isLower('ʕ')).toBe(true)
  expect(isLower('aჼ')).toBe(true)
  expect(isUpper('Aჼ')).toBe(true)
  expect(isLower('')).toBe(false)
})

test('[SCORE20] letters, numerals and digits of any script are told apart', () => {
  expect(['é', '中', 'ª', '1', '²', '_', ''].map(isAlpha)).toEqual([true, true, true, false, false, false, false])
  expect(['é', '½', 'Ⅷ', '_', '\u0301', '-'].map(isAlnum)).toEqual([true, true, true, false, false, false])
  expect(['7', '٣', '²', '①', '½', 'Ⅷ', '一'].map(isDigit)).toEqual([true, true, true, true, false, false, false])
})

test('[SCORE20] words are runs of letters, numerals and low lines; combining marks end them', () => {
  expect(wordRuns("isn't state_of 2½ नमस्ते")).toEqual(['isn', 't', 'state_of', '2½', 'नमस', 'त'])
})

test('[SCORE20] characters are code points, and occurrences do not overlap', () => {
  expect(codePoints('a😀')).toEqual(['a', '😀'])
  expect(countOf('aaaa', 'aa')).toBe(2)
  expect(countOf('a😀', '')).toBe(3)
  expect(countOf('', 'a')).toBe(0)
})

test('[SCORE20] a word is found where Unicode word boundaries stand on both sides', () => {
  expect(hasWord('concatenate', 'cat')).toBe(false)
  expect(hasWord('a Cat!', 'cat')).toBe(false)
  expect(hasWord('a Cat!', 'cat', { ignoreCase: true })).toBe(true)
  expect(hasWord('écat cat_ 猫cat', 'cat')).toBe(false)
  expect(hasWord('xa-a-a', 'a-a')).toBe(true)
  expect(hasWord('😀cat😀', 'cat')).toBe(true)
  expect(hasWord('the C++ book', 'C++')).toBe(false)
  expect(hasWord('...', '')).toBe(false)
})

test('[SCORE20] case is ignored as re.IGNORECASE does it, which takes more letters for one than lower-casing', () => {
  expect(foldCase('ΣσςKſİıµ')).toBe('σσσksiiμ')
  expect(foldCase('ﬅﬆΐẞß')).toBe('ﬆﬆΐßß')
  expect(hasWord('KISS', 'ſ', { ignoreCase: true })).toBe(false)
  expect(hasWord('a ſ', 'S', { ignoreCase: true })).toBe(true)
})
