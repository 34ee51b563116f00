import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../testing/draws.ts'
import { anyTextOf } from '../testing/any-text.ts'
import type { Punkt } from './punkt.ts'
import { wordTokens } from './word-tokens.ts'

const punkt: Punkt = { abbreviations: new Set(['zz']), collocations: new Set(), sentenceStarters: new Set(), orthography: new Map() }
const words = (text: string) => wordTokens(text, punkt)

test.each<[string, string]>([
  ['', ''],
  ['It costs $3.50, zz. Yes.', 'It costs $ 3.50 , zz. Yes .'],
  ['One. Two', 'One . Two'],
  ['"Go," he said.', "`` Go , '' he said ."],
  ["('So')", "( 'So ' )"],
  ['“Go”', '“ Go ”'],
  ["can't won't it's we'll I'm they'd", "ca n't wo n't it 's we 'll I 'm they 'd"],
  ["the dogs' bowl", "the dogs ' bowl"],
  ["'a' 's' 'tree", "' a ' 's ' 'tree"],
  ['cannot Gimme gonna wanna wanna.', 'can not Gim me gon na wan na wan na .'],
  ["'tis more'n d'ye", "'t is more 'n d 'ye"],
  ['a--b ... c.. d', 'a -- b ... c .. d'],
  ['at 10:30: no; 50% & #1 @x*', 'at 10:30 : no ; 50 % & # 1 @ x *'],
  ['a, b,c 1,000', 'a , b , c 1,000'],
  ['[x] {y} <z>', '[ x ] { y } < z >'],
  ['end.")', "end . '' )"],
  ['mid—dash – x', 'mid—dash – x'],
  ['a\u0085b\u00a0c', 'a b c'],
  ['G\u0130MME CANNOT\u0345', 'G\u0130M ME CAN NOT \u0345'], // letters as Python folds them
])('[SCORE30] %j falls into the words of NLTK', (text, expected) => {
  expect(words(text).join(' ')).toBe(expected)
})

const pieces = [
  '.',
  '?',
  ' ',
  '\n',
  '"',
  "'",
  "''",
  '`',
  '“',
  '”',
  '»',
  ')',
  '(',
  '--',
  ',',
  ':',
  '$',
  "n't",
  'cannot',
  "'tis",
  '7',
  'b',
  '😀',
  '\ud800',
]
const anyText = anyTextOf(pieces, 200)
/** Double quotes of any kind become two single ones. */
const kept = (text: string) => text.replace(/[\s\x1c-\x1f\x85"'`]/gu, '')

test('[SCORE31] words of any text are not empty, hold no space, keep all but quotes, and are the same when asked again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const split = words(text)
      expect(split.every((word) => /^[^\s\x1c-\x1f\x85]+$/u.test(word))).toBe(true)
      expect(kept(split.join(''))).toBe(kept(text))
      expect(words(text)).toEqual(split)
    }),
    draws(500),
  )
})

test.each(['.', '"', "'", '`', ' ', 'a', '. ', "a' ", ', ', '.) ', 'a  ', '-', 'cannot ', "n't "])(
  '[SCORE31] a long run of %j is split',
  (piece) => {
    const text = `a${piece.repeat(100_000 / piece.length)}`
    expect(kept(words(text).join(''))).toBe(kept(text))
  },
)
