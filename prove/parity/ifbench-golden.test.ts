import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testTables } from '#fleet/dataset/testing/test-tables.ts'
import { ifbenchChecks } from '#shared/scorers/ifbench/ifbench-checks.ts'
import { type IfbenchId, ifbenchKwargs } from '#shared/scorers/ifbench/kwargs.ts'
import { verdictsOf } from '#shared/scorers/instructions/score-instructions.ts'
import { anyTextOf } from '#shared/scorers/testing/any-text.ts'
import { draws } from '#shared/testing/draws.ts'
import { ifbenchAnswers } from './answers-ifbench.ts'

const { tables, missing } = await testTables()
const needed = ['punkt_english', 'stopwords_english', 'perceptron_tagger_english', 'syllapy_dictionary']
const absent = missing.some((name) => needed.includes(name))

type Row = [id: IfbenchId, kwargs: Record<string, unknown>, response: string, verdicts: string]
const gravity = { prompt_to_repeat: 'Explain gravity briefly', n_start: 0, n_end: 6 }
const options = { options: 'a), b), c), d)' }
const cities = ['ID,Country,City,Year,Count', ...[1, 2, 3, 4, 5, 6, 7].map((id) => `${id},Norway,Bergen,2001,${id}`)].join('\n')

/** The table of verdicts that the official checker gave (reference 6.6). */
const golden: Row[] = [
  ['ratio:sentence_type', {}, 'Hello there!', 'T/T'],
  ['ratio:overlap', { reference_text: 'abcdef', percentage: 40 }, 'abcdxyz', 'T/T'],
  ['ratio:overlap', { reference_text: 'abcdef', percentage: 50 }, 'abcdxyz', 'F/F'],
  ['count:numbers', { N: 2 }, 'Pay $1,234.50 on 2024-01-02', 'T/T'],
  ['count:conjunctions', { small_n: 2 }, 'and And', 'T/T'],
  ['count:person_names', { N: 2 }, 'Emma visited Miami with Leo.', 'T/T'],
  ['count:pronouns', { N: 3 }, "She/her, it's this", 'T/T'],
  ['words:words_position', { keyword: 'whisper' }, 'Soft whisper of the night, a whisper ends.', 'T/T'],
  ['words:words_position', { keyword: 'whisper' }, 'Soft whisper of the night, a whisper "ends."', 'F/F'],
  ['words:keywords_specific_position', { keyword: 'moon', n: 2, m: 3 }, 'Hi. See, the Moon glows.', 'T/T'],
  ['repeat:repeat_span', gravity, 'explain', 'T/T'],
  ['repeat:repeat_span', gravity, 'Explain gravity briefly', 'F/F'],
  ['format:line_indent', {}, 'a\n\n b\n  c', 'T/T'],
  ['format:line_indent', {}, 'a\n\n\n b\n  c', 'F/T'],
  ['format:sub-bullets', {}, 'no bullets at all', 'T/T'],
  ['format:quote_unquote', {}, 'He said "bye"', 'F/F'],
  ['format:quote_unquote', {}, 'He said “bye”', 'T/T'],
  ['format:emoji', {}, 'Love it ❤️.', 'T/T'],
  ['format:title_case', {}, 'The Quick McDonald iPhone', 'T/T'],
  ['format:title_case', {}, 'The Quick McDonald iPhone of', 'F/F'],
  ['ratio:sentence_words', {}, 'Cat. Cat. Cat.', 'T/T'],
  ['words:alphabet', {}, 'Apple banana 7 cat', 'F/F'],
  ['words:last_first', {}, 'I see stars. Stars shine bright. Bright lights.', 'T/T'],
  ['words:odd_even_syllables', {}, 'cat tiger dog paper', 'T/T'],
  ['words:start_verb', {}, 'Running is fun.', 'T/T'],
  ['words:start_verb', {}, 'The dog runs.', 'F/F'],
  ['format:options', options, 'b)', 'T/T'],
  ['format:options', options, 'b', 'F/F'],
  ['format:no_whitespace', {}, 'nospace\n', 'F/T'],
  ['custom:date_format_list', {}, '1796-04-31', 'F/F'],
  ['custom:date_format_list', {}, '1796-00-00', 'T/T'],
  ['custom:csv_city', {}, `\`\`\`csv\n${cities}\n\`\`\``, 'F/T'],
  ['sentence:keyword', { word: 'cat', N: 2 }, 'One. Concatenate.', 'F/F'],
]

const letter = (followed: boolean) => (followed ? 'T' : 'F')
function verdictsText(id: string, kwargs: Record<string, unknown>, text: string): string {
  const { strict, loose } = verdictsOf(text, [{ id, kwargs }], ifbenchChecks, tables)[0]!.verdicts
  return `${letter(strict)}/${letter(loose)}`
}

test.skipIf(absent)('[SCORE41] every row of the golden table gets the verdicts of the official checker, strict and loose', () => {
  expect(golden.map(([id, kwargs, response]) => [id, response, verdictsText(id, kwargs, response)])).toEqual(
    golden.map(([id, , response, verdicts]) => [id, response, verdicts]),
  )
})

const pieces = [
  ...[
    '\n',
    '\n\n',
    ' ',
    '\r',
    '\t',
    '\x1c',
    '\x85',
    '\u2028',
    '\u200b',
    '\ud800',
    '\udc00',
    '😀',
    '❤️',
    '\u0301',
    'ß',
    'İ',
    'Σ',
    '²',
    '٣',
    '日本',
  ],
  ...[
    '.',
    '?',
    '!',
    '...',
    '?!',
    ',',
    ';',
    ':',
    '"',
    "'",
    "'\"'",
    '*',
    '-',
    '--',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<i>',
    '</i>',
    '<em>',
    '</em>',
  ],
  ...[
    'a',
    'The',
    'and',
    'Emma',
    'her',
    'cat',
    'Question 1',
    'A. x',
    'Zimbabwe',
    'bald eagle',
    'ID,Country,City,Year,Count',
    '1796-04-30',
    '14',
  ],
]
const anyText = anyTextOf(pieces)

test.skipIf(absent)('[SCORE43] any text gets a verdict from every check, twice the same', () => {
  const answers = ifbenchAnswers(5, Object.keys(ifbenchKwargs).length, [], null)
  fc.assert(
    fc.property(anyText, (text) => {
      for (const { id, kwargs } of answers) {
        const check = ifbenchChecks[id as IfbenchId]
        const verdict = check(text, kwargs, tables)
        expect([true, false]).toContain(verdict)
        expect(check(text, kwargs, tables)).toBe(verdict)
      }
    }),
    draws(150),
  )
})
