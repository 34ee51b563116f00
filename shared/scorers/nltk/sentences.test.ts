import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../testing/draws.ts'
import { openTables } from '../tables.ts'
import { anyTextOf } from '../testing/any-text.ts'
import { punktEnglish } from './punkt.ts'
import { splitSentences } from './sentences.ts'
import { stopwordsEnglish } from './stopwords.ts'

// an invented model: "zz." and "q.v." shorten words, "no. 7" belongs together, "blue" is seen in lower case, "Rome" never
const tables = openTables({
  punkt_english: {
    'abbrev_types.txt': 'zz\nq.v\nbus-zz\n',
    'collocations.tab': 'no\t##number##\nold\ttown\n',
    'sent_starters.txt': 'then\n',
    'ortho_context.tab': 'blue\t34\nrome\t4\ngreen\t48\n',
  },
  stopwords_english: { english: 'the\nof\n\n' },
})
const punkt = tables.get(punktEnglish)
const sentences = (text: string) => splitSentences(text, punkt)

test('[SCORE27] tables of NLTK are read as Python reads their lines', () => {
  expect([...punkt.abbreviations]).toEqual(['zz', 'q.v', 'bus-zz'])
  expect(punkt.collocations.has('old\ttown')).toBe(true)
  expect(punkt.orthography.get('green')).toBe(48)
  expect([...tables.get(stopwordsEnglish)]).toEqual(['the', 'of'])
})

test.each<[string, string[]]>([
  ['', []],
  [' \n', []],
  ['One. Two? Three!', ['One.', 'Two?', 'Three!']],
  ['  lead and trail. \n', ['  lead and trail.']],
  ['He left zz. soon.', ['He left zz. soon.']],
  ['He left zz. Blue it was.', ['He left zz.', 'Blue it was.']], // capital of a word that is seen in lower case
  ['He left zz. Then it rained.', ['He left zz.', 'Then it rained.']], // frequent first word
  ['He left zz. Nobody saw.', ['He left zz. Nobody saw.']],
  ['A mini-zz. Nobody saw.', ['A mini-zz. Nobody saw.']],
  ['See no. 7 there.', ['See no. 7 there.']],
  ['J. Rome came.', ['J. Rome came.']],
  ['J. Blue came.', ['J.', 'Blue came.']],
  ['In 1999. green came.', ['In 1999.', 'green came.']],
  ['In 1999. rome came.', ['In 1999. rome came.']],
  ['Wait ... what?', ['Wait ... what?']],
  ['Wait... Blue', ['Wait...', 'Blue']],
  ['So bad!!! I know.', ['So bad!!!', 'I know.']],
  ['(He left.) "She too." Gone.', ['(He left.)', '"She too."', 'Gone.']],
  ['She went.) -- then.', ['She went.)', '-- then.']],
  ['“Go.” He went.', ['“Go.” He went.']], // NLTK 3.9.2 takes curly quotes for parts of words
  ['Line one.\u00a0Line two.', ['Line one.', 'Line two.']],
  ['3.14 is pi.Yes. No', ['3.14 is pi.Yes.', 'No']],
])('[SCORE28] sentences of %j end where Punkt ends them', (text, expected) => {
  expect(sentences(text)).toEqual(expected)
})

const pieces = [
  '.',
  '?',
  '!',
  ' ',
  '\n',
  '\r\n',
  '\u0085',
  '\u00a0',
  '"',
  ')',
  "'",
  '”',
  '…',
  '--',
  ',',
  'zz.',
  'J.',
  '7.',
  'Blue',
  'b',
  '😀',
  '\ud800',
]
const anyText = anyTextOf(pieces, 200)
const spaceless = (text: string) => text.replace(/[\s\x1c-\x1f\x85]/gu, '')

test('[SCORE29] sentences of any text are not empty, keep all but spaces, and are the same when asked again', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const split = sentences(text)
      expect(split.every((sentence) => sentence !== '')).toBe(true)
      expect(spaceless(split.join(''))).toBe(spaceless(text))
      expect(sentences(text)).toEqual(split)
    }),
    draws(500),
  )
})

test.each(['.', '"', ' ', 'a', '. ', '! ', '.\u00a0', '.)', '-', "' ", '\n', 'a.b', 'zz. '])(
  '[SCORE29] a long run of %j is split',
  (piece) => {
    const text = piece.repeat(100_000 / piece.length)
    expect(spaceless(sentences(text).join(''))).toBe(spaceless(text))
  },
)
