import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countOf, foldCase, hasWord, isLower, isUpper, punctuation, removeChars, splitSpace, stripChars, wordRuns } from '../python/text.ts'
import { draws } from '../testing/draws.ts'
import { isEmoji } from './emoji.ts'
import { detectLanguage } from './langdetect/detect.ts'
import { profilesOf } from './langdetect/testing/tiny-profiles.ts'
import { csvRecords } from './python-csv.ts'
import { isPythonJson } from './python-json.ts'
import { syllables, syllapyDictionary } from './syllapy/syllables.ts'
import { anyTextOf } from './testing/any-text.ts'

const profiles = profilesOf('a', 'b', ' a')
const dictionary = syllapyDictionary.parse({ 'data.csv': 'a,1\n' })

const readers = {
  splitSpace,
  wordRuns,
  foldCase,
  isUpper,
  isLower,
  isEmoji,
  isPythonJson,
  stripChars: (text: string) => stripChars(text, `${punctuation} `),
  removeChars: (text: string) => removeChars(text, punctuation),
  countOf: (text: string) => countOf(text, 'aa'),
  hasWord: (text: string) => hasWord(text, 'aa', { ignoreCase: true }),
  hasNoWord: (text: string) => hasWord(text, ''),
  csvRecords: (text: string) => csvRecords(text, ','),
  syllables: (text: string) => syllables(text, dictionary),
  detectLanguage: (text: string) => detectLanguage(text, profiles),
}

const pieces = [
  'a',
  'A',
  'e',
  'é',
  '\u0130',
  '\u0301',
  '😀',
  '\ud800',
  ' ',
  '\n',
  '\r',
  '"',
  '\\',
  '[',
  '{',
  '-',
  '7',
  ',',
  '@',
  '.',
  'http://',
]
const anyText = anyTextOf(pieces)

test.each(Object.entries(readers))('[SCORE6] %s is total and deterministic', (_name, read) => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(read(text)).toEqual(read(text))
    }),
    draws(200),
  )
})

/** Texts on which a careless reader would take quadratic time; 100 kB each. */
const long = ['a', ' ', '\n', '-', '"', '\\', '[', '7', 'a-', '@a', 'a@bc', 'https:/', 'a\u0301', 'É', '😀', 'Infinity', '"\\'].map(
  (piece) => piece.repeat(Math.ceil(100_000 / piece.length)),
)

test.each(Object.entries(readers))('[SCORE6] %s ends on long texts made to hurt', (_name, read) => {
  for (const text of long) for (const variant of [text, `"${text}`, `x${text}x`]) expect(read(variant)).toBeDefined()
})
