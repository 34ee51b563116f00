import { followingAnswer } from '#shared/benchmarks/ifeval/demo-answer.ts'
import { fillers, inLanguage } from '#shared/benchmarks/ifeval/demo-sentences.ts'
import { pythonRandom } from '#shared/random/python-random.ts'
import type { Instruction } from '#shared/scorers/instructions/check.ts'
import { mutated } from './mutate.ts'

/** A row of the data set as its file has it. */
export type IfevalRow = {
  key: number | string
  prompt: string
  instruction_id_list: readonly string[]
  kwargs: readonly (Readonly<Record<string, unknown>> | null)[]
}

export type GeneratedAnswer = { key: string; response: string }

/** Pieces that the checks look for, and near misses of them. */
const pieces = [
  ...[
    '*',
    '**',
    '***',
    '****',
    '******',
    '* ',
    '- ',
    '-',
    '---',
    '_',
    '#',
    '##',
    '!',
    '?',
    '.',
    '...',
    ',',
    ';',
    ':',
    '，',
    '’',
    '“',
    '”',
    '«',
  ],
  ...['\n', '\n\n', '\n\n\n', ' ', '  ', '\t', '\r\n', '\u00a0', '\u2003', '\u2028', '\u0085', '\u001c', '\u200b', '\ufeff'],
  ...[
    '<',
    '<<',
    '>>',
    '>',
    '<<>>',
    '<< >>',
    '[',
    ']',
    '[x]',
    '[a\nb]',
    '(',
    ')',
    '{',
    '}',
    '"',
    "'",
    '""',
    '```',
    '```json\n',
    '```JSON\n',
    '\n```',
  ],
  ...['{"a": 1}', '[1, 2]', 'NaN', '-Infinity', '"\\u00e9"', 'null', '01', '{"a": 1, "a": 2}'],
  ...[
    'P.S.',
    'P.P.S',
    'P. S.',
    'p.s',
    'P.P.S.',
    'P. P. S',
    'PS:',
    'Section 1',
    'SECTION 2',
    'Section3',
    'section 4',
    'PARAGRAPH 1',
    'Day 1',
  ],
  ...[
    'My answer is yes.',
    'My answer is no.',
    'my answer is maybe.',
    'My answer is maybe.',
    '*point*',
    '**bold**',
    '***both***',
    '* *',
    '*\n*',
  ],
  ...[
    'I',
    'A',
    'U.S.',
    'NASA',
    'OK',
    'can’t',
    "isn't",
    "I'm",
    'cannot',
    'state-of-the-art',
    '3.14',
    '1,000',
    'e.g.',
    'Dr. Smith',
    'p.m.',
    'İ',
    'ı',
    'ſ',
    'K',
    'ß',
    'ÉTÉ',
    'ǅ',
    '٣',
    '²',
    '한국',
    '日本語',
    'हिन्दी',
  ],
]

type Draw = ReturnType<typeof pythonRandom>
const pick = <T>(draw: Draw, list: readonly T[]): T => list[draw.below(list.length)]!

function instructionsOf(row: IfevalRow): Instruction[] {
  return row.instruction_id_list.map((id, place) => {
    const known = Object.entries(row.kwargs[place] ?? {}).filter(([, value]) => value !== null)
    return { id, kwargs: Object.fromEntries(known) }
  })
}

/** The same instructions with every number off by at most one and the relation at times turned: answers that just miss. */
function nearby(instructions: readonly Instruction[], draw: Draw): Instruction[] {
  const moved = (value: unknown): unknown => {
    if (typeof value === 'number') return Math.max(0, value + draw.below(3) - 1)
    if (value === 'less than' || value === 'at least') return draw.below(4) === 0 ? 'at least' : value
    if (Array.isArray(value) && draw.below(4) === 0) return value.slice(1)
    return value
  }
  return instructions
    .filter(() => draw.below(8) > 0)
    .map(({ id, kwargs }) => ({ id, kwargs: Object.fromEntries(Object.entries(kwargs).map(([key, value]) => [key, moved(value)])) }))
}

/** Words of the row's own arguments, in several cases. */
function ownWords(instructions: readonly Instruction[]): string[] {
  const words = instructions.flatMap(({ kwargs }) => Object.values(kwargs).flat()).filter((value) => typeof value === 'string')
  return words.flatMap((word) => [word, word.toUpperCase(), word.toLowerCase(), ` ${word} `, `${word}s`, `\n${word}`])
}

function soup(draw: Draw, own: readonly string[]): string {
  const parts = Array.from({ length: 1 + draw.below(25) }, () => {
    const kind = draw.below(10)
    if (kind < 6) return pick(draw, pieces)
    if (kind < 8 && own.length > 0) return pick(draw, own)
    return kind === 8 ? `${pick(draw, fillers)} ` : pick(draw, fillers).split(' ')[0]!
  })
  return parts.join(draw.below(3) === 0 ? ' ' : '')
}

const blocks = [
  0x20, 0x41, 0xc0, 0x100, 0x250, 0x300, 0x370, 0x400, 0x5d0, 0x620, 0x905, 0xe01, 0x1e00, 0x2000, 0x2150, 0x24b6, 0x3041, 0x4e00, 0xac00,
  0xff10, 0x1d400, 0x1f600,
]

function foreign(draw: Draw): string {
  const first = pick(draw, blocks)
  const chars = Array.from({ length: 1 + draw.below(60) }, () => (draw.below(6) === 0 ? ' ' : String.fromCodePoint(first + draw.below(48))))
  return chars.join('')
}

/** Dots, as words and sentences of the language tables have them, with the case of the whole text changed at times. */
function prose(draw: Draw): string {
  const language = pick(draw, Object.keys(inLanguage))
  const thoughts = Array.from({ length: 1 + draw.below(6) }, () => (draw.below(3) === 0 ? inLanguage[language]! : pick(draw, fillers)))
  const text = thoughts.join(pick(draw, [' ', '\n', '\n\n', ' ']))
  const shape = draw.below(4)
  return shape === 0 ? text.toUpperCase() : shape === 1 ? text.toLowerCase() : text
}

/**
 * Answers to the rows, the rows in turn: built to follow the instructions or to miss them by one, put together from pieces that the checks
 * look for, prose in several languages, letters of many scripts, and `replies` (real answers of a model, to whatever prompts); most of them
 * changed at random places. The same arguments give the same answers.
 */
export function ifevalAnswers(rows: readonly IfevalRow[], count: number, seed: number, replies: readonly string[] = []): GeneratedAnswer[] {
  const draw = pythonRandom(seed)
  const texts = [...replies, ...rows.map((row) => row.prompt)]
  return Array.from({ length: count }, (_, index) => {
    const row = rows[index % rows.length]!
    const instructions = instructionsOf(row)
    const own = ownWords(instructions)
    const kind = draw.below(20)
    const base = () => {
      if (kind < 5) return followingAnswer(instructions)
      if (kind < 10) return followingAnswer(nearby(instructions, draw))
      if (kind < 13) return soup(draw, own)
      if (kind < 15) return prose(draw)
      return kind === 15 ? foreign(draw) : pick(draw, texts)
    }
    const text = base()
    const edits = draw.below(3) === 0 ? 0 : 1 + draw.below(6)
    return { key: String(row.key), response: mutated(text, edits, [...pieces, ...own], draw) }
  })
}
