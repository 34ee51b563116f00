import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../testing/draws.ts'
import { noTables, TableMissing } from '../tables.ts'
import { anyTextOf } from '../testing/any-text.ts'
import { ifevalChecks } from './ifeval-checks.ts'
import type { IfevalId } from './kwargs.ts'

const follows = (id: IfevalId, text: string, kwargs: Record<string, unknown> = {}) => ifevalChecks[id](text, kwargs, noTables)
/** The number for which an "exactly" check holds. */
const exactly = (id: IfevalId, text: string, name: string) =>
  Array.from({ length: 30 }, (_, n) => n).filter((n) => follows(id, text, { [name]: n }))
/** The greatest number for which an "at least" check holds. */
const most = (id: IfevalId, text: string, kwargs: Record<string, unknown>, name: string) =>
  Array.from({ length: 30 }, (_, n) => n).findLast((n) => follows(id, text, { ...kwargs, [name]: n }))

test('[SCORE33] words are sought without regard to case, forbidden ones as whole words', () => {
  expect(follows('keywords:existence', 'A KİLN by the sea', { keywords: ['kiln', 'SEA'] })).toBe(true)
  expect(follows('keywords:existence', 'A kil n', { keywords: ['kiln'] })).toBe(false)
  expect(follows('keywords:forbidden_words', 'a_cat, cats, cat2, écat', { forbidden_words: ['cat', 'dog'] })).toBe(true)
  expect(follows('keywords:forbidden_words', 'the CAT’s', { forbidden_words: ['dog', 'cat'] })).toBe(false)
  expect(most('keywords:frequency', 'Nana na nan', { keyword: 'nan', relation: 'at least' }, 'frequency')).toBe(2)
})

test('[SCORE33] a letter is counted in lower case, a sign as itself', () => {
  const count = (letter: string, text: string) =>
    most('keywords:letter_frequency', text, { letter, let_relation: 'at least' }, 'let_frequency')
  expect([count('E', 'Eel, é'), count('i', 'İI'), count('!', 'No! No!!'), count('#', 'none')]).toEqual([2, 2, 3, 0])
})

test('[SCORE33] words are runs of word characters', () => {
  const count = (text: string) => most('length_constraints:number_words', text, { relation: 'at least' }, 'num_words')
  expect(["it's", 'a_b 3.14', 'हिन्दी', '日本語 字', '… — !'].map(count)).toEqual([2, 3, 3, 2, 0])
})

test('[SCORE33] paragraphs are set apart by three asterisks; only the first and the last may be blank', () => {
  const count = (text: string) => exactly('length_constraints:number_paragraphs', text, 'num_paragraphs')
  expect(['A', 'A***B', '***\nA\n***\nB\n***', 'A ****** B', 'A\n***\n \n***\nB', '***A'].map(count)).toEqual([[1], [2], [2], [], [], [1]])
})

test('[SCORE33] the nth paragraph is counted among all, its first word ends before a sign', () => {
  const first = (text: string, n: number, count: number, word = 'so') =>
    follows('length_constraints:nth_paragraph_first_word', text, { num_paragraphs: count, nth_paragraph: n, first_word: word })
  expect(first('\'"So, it\n\nis.', 1, 2)).toBe(true)
  expect(first('"\'So it\n\nis.', 1, 2)).toBe(false)
  expect(first('Is it?\n\nSO.it is', 2, 2, 'So')).toBe(true)
  expect(first('\n\nSo it\n\nis.', 1, 2)).toBe(false)
  expect(first('\n\nIt is\n\nso', 2, 2, 'it')).toBe(true)
  expect(first('One\n\n\n\nSo', 3, 2)).toBe(false)
  expect(first('One\n\n\nSo', 2, 2)).toBe(true)
})

test('[SCORE33] placeholders stay on a line and do not nest', () => {
  const count = (text: string) => most('detectable_content:number_placeholders', text, {}, 'num_placeholders')
  expect(['[a][b]', '[[a]]', '[a\n] [b]', ']a[', '[]', '[a [b]'].map(count)).toEqual([2, 1, 1, 0, 1, 1])
})

test('[SCORE33] a postscript may stand anywhere, in any case, with one blank inside', () => {
  const has = (text: string, marker: string) => follows('detectable_content:postscript', text, { postscript_marker: marker })
  expect(['p.s. x', 'P. S. x', 'P.S x', 'P.  S. x', 'stop.s.o', 'P.P.S.'].map((text) => has(text, 'P.S.'))).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
  ])
  expect(['P.P.S', 'p. p.\ns', 'PPS', 'P.S.'].map((text) => has(text, 'P.P.S'))).toEqual([true, true, false, false])
  expect(['ps: x', 'PS x'].map((text) => has(text, 'PS:'))).toEqual([true, false])
})

test('[SCORE33] bullets begin a line; a star may take in the next line', () => {
  const count = (text: string) => exactly('detectable_format:number_bullet_lists', text, 'num_bullets')[0]
  expect(['* a\n\n  * b', '*\n* b', '*\n\n* b', '**a**\n* b', '---\n-', 'a * b', '*', '*a', '\n \u3000-x', '- a\n * b'].map(count)).toEqual(
    [2, 1, 2, 1, 2, 0, 0, 1, 1, 2],
  )
})

test('[SCORE33] highlights of one and of two asterisks are counted apart', () => {
  const count = (text: string) => most('detectable_format:number_highlighted_sections', text, {}, 'num_highlights')
  expect(['*a*', '**a**', '***a***', '* *', '*a\nb*', '*a*b*', '** **a** **', '****'].map(count)).toEqual([1, 1, 2, 0, 0, 1, 0, 0])
})

test('[SCORE33] sections are their name and a number, with one blank at most', () => {
  const count = (text: string) => most('detectable_format:multiple_sections', text, { section_spliter: 'Section' }, 'num_sections')
  expect(['Section 1\nSection 2', 'Section1Section\n٣', 'Section  1', 'SECTION 1', 'Sections 1'].map(count)).toEqual([2, 2, 0, 0, 0])
})

test('[SCORE33] a title is what stands between the first and the last pair of brackets of a line', () => {
  const title = (text: string) => follows('detectable_format:title', text)
  expect(['<<a>>', 'x <<a>> y', '<<<<>>', '<<><>>', '<<>>', '<<\na>>', '<<>>>', '<< > a>>', '<a>'].map(title)).toEqual([
    ...[true, true, false, true, false, false, false, true, false],
  ])
})

test('[SCORE33] JSON is read as Python reads it, within a fence or without', () => {
  const json = (text: string) => follows('detectable_format:json_format', text)
  const fence = '```'
  expect(
    [` ${fence}json\n[1]\n${fence} `, `${fence}JSON{}${fence}`, `${fence}${fence}`, `${fence}\n1`, `x ${fence}1${fence}`].map(json),
  ).toEqual([true, true, false, true, false])
  expect(['[Infinity]', '{"a":1,"a":2}', '"x"', '\ufeff{}', '{} {}', "{'a': 1}", '['.repeat(100_000)].map(json)).toEqual([
    ...[true, true, true, false, false, false, false],
  ])
})

test('[SCORE33] fixed answers, repeats, ends and quotation marks', () => {
  expect(follows('detectable_format:constrained_response', 'Hm. My answer is maybe. Or not.')).toBe(true)
  expect(follows('detectable_format:constrained_response', 'my answer is maybe.')).toBe(false)
  expect(
    ['a******b', 'a******a', '******a******b******', 'a************b', 'a'].map((text) => follows('combination:two_responses', text)),
  ).toEqual([...[true, false, true, false, false]])
  expect(follows('combination:repeat_prompt', '\n write IT. so', { prompt_to_repeat: ' Write it.' })).toBe(true)
  expect(follows('startend:end_checker', 'So. THE END"" \n', { end_phrase: ' the end ' })).toBe(true)
  expect(['"a"', ' "a" ', '"', '""', '"a'].map((text) => follows('startend:quotation', text))).toEqual([true, true, false, true, false])
  expect(['a,b', 'a，b'].map((text) => follows('punctuation:no_comma', text))).toEqual([false, true])
})

const anyKwargs: Record<IfevalId, Record<string, unknown>> = {
  'keywords:existence': { keywords: ['a', 'sun'] },
  'keywords:frequency': { keyword: 'a', frequency: 3, relation: 'at least' },
  'keywords:forbidden_words': { forbidden_words: ['a', 'sun'] },
  'keywords:letter_frequency': { letter: 'a', let_frequency: 3, let_relation: 'less than' },
  'language:response_language': { language: 'de' },
  'length_constraints:number_sentences': { num_sentences: 3, relation: 'less than' },
  'length_constraints:number_paragraphs': { num_paragraphs: 2 },
  'length_constraints:number_words': { num_words: 10, relation: 'at least' },
  'length_constraints:nth_paragraph_first_word': { num_paragraphs: 2, nth_paragraph: 2, first_word: 'a' },
  'detectable_content:number_placeholders': { num_placeholders: 2 },
  'detectable_content:postscript': { postscript_marker: 'P.P.S' },
  'detectable_format:number_bullet_lists': { num_bullets: 2 },
  'detectable_format:constrained_response': {},
  'detectable_format:number_highlighted_sections': { num_highlights: 2 },
  'detectable_format:multiple_sections': { section_spliter: 'Section', num_sections: 2 },
  'detectable_format:json_format': {},
  'detectable_format:title': {},
  'combination:two_responses': {},
  'combination:repeat_prompt': { prompt_to_repeat: 'a' },
  'startend:end_checker': { end_phrase: 'a' },
  'startend:quotation': {},
  'change_case:capital_word_frequency': { capital_frequency: 2, capital_relation: 'at least' },
  'change_case:english_capital': {},
  'change_case:english_lowercase': {},
  'punctuation:no_comma': {},
}

/** The verdict, or the name of the table that it would take. */
function verdict(id: IfevalId, text: string): boolean | string {
  try {
    return ifevalChecks[id](text, anyKwargs[id], noTables)
  } catch (error) {
    if (error instanceof TableMissing) return error.table
    throw error
  }
}

const pieces = [
  '*',
  '**',
  '***',
  '-',
  '\n',
  '\n\n',
  ' ',
  '<<',
  '>>',
  '[',
  ']',
  '"',
  'a',
  'A',
  '.',
  ',',
  'P.',
  'Section ',
  '1',
  '{',
  '\ud800',
  '😀',
  'İ',
  '\x1c',
]
const anyText = anyTextOf(pieces)

const ids = Object.keys(anyKwargs) as IfevalId[]

test.each(ids)('[SCORE38] %s gives any text a verdict, twice the same', (id) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found = verdict(id, text)
      expect([true, false, 'punkt_english', 'langdetect_profiles']).toContain(found)
      expect(verdict(id, text)).toBe(found)
    }),
    draws(200),
  )
})

/** Texts of 100 kB on which a careless pattern would take quadratic time. */
const long = [...pieces, '* ', '\n*', '[\n', '<<a', '*a', ' ***', '* a\n', '\n ', 'Section', 'p.p.', '"\'', 'a b ', '[1,'].map((piece) =>
  piece.repeat(Math.ceil(100_000 / piece.length)),
)

test.each(ids)('[SCORE38] %s ends on long texts made to hurt', (id) => {
  for (const text of long) for (const variant of [text, `${text}x`, `*${text}`]) expect(verdict(id, variant)).toBeDefined()
})
