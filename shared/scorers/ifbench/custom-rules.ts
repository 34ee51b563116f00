import { codePoints, pySpace, pyWord, splitSpace, strip } from '../../python/text.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import { bare, bareWords, firstChar } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'
import { northernCapitals } from './word-lists.ts'

const digits = /\p{Nd}+/gu
const isDecimal = /^\p{Nd}$/u
const multiplesOfSeven = ['14', '21', '28', '35', '42', '49']
const questionMark = new RegExp(`Question \\p{Nd}+[.|):;]?[${pySpace}]*`, 'u')
const optionLine = new RegExp(`^[A-Ea-e][.|)][${pySpace}]*[${pyWord}]`, 'u')
const dateForm = /^(\p{Nd}{4})-(\p{Nd}{2})-(\p{Nd}{2})$/u
const daysIn = [31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Compatibility decomposition without what is not ASCII: "São Tomé" becomes "Sao Tome". */
function toAscii(text: string): string {
  return text.normalize('NFKD').replace(/[^\0-\x7f]/g, '')
}

// A comma never joins two numbers, so nothing is to be put after it.
const multiples: Rule<'custom:multiples'> = (text) => (text.match(digits) ?? []).join(' ') === multiplesOfSeven.join(' ')

/** Length of a question before its first option, or null unless it has five option lines. */
function questionLength(question: string): number | null {
  const lines = question.split('\n').map(strip)
  const isOption = lines.map((line) => optionLine.test(line))
  if (isOption.filter(Boolean).length !== 5) return null
  return codePoints(strip(lines.slice(0, isOption.indexOf(true)).join(' '))).length
}

const growingQuestions: Rule<'custom:mcq_count_length'> = (text) => {
  if (!text.startsWith('Question')) return false
  const lengths = text
    .split(questionMark)
    .map(strip)
    .filter((part) => part !== '')
    .map(questionLength)
  return (
    lengths.length === 4 && lengths.every((length, index) => length !== null && (index === 0 || length > (lengths[index - 1] ?? length)))
  )
}

// At least 52 lines, although there are 54 countries; lines after the last country count too.
const africaReversed: Rule<'custom:reverse_newline'> = (text) => {
  const lines = text
    .split('\n')
    .map(bare)
    .filter((line) => line !== '')
  const start = lines.findIndex((line) => line.includes('Zimbabwe'))
  if (start < 0 || lines.length - start < 52) return false
  const countries = lines.slice(start).map(toAscii)
  return countries.every((country, index) => index === 0 || country <= countries[index - 1]!)
}

const wordsReversed: Rule<'custom:word_reverse'> = (text) => bareWords(text.toLowerCase()).reverse().join(' ').includes('bald eagle')

const lettersReversed: Rule<'custom:character_reverse'> = (text) => text.toLowerCase().includes('elgae dlab')

const alphabetStory: Rule<'custom:sentence_alphabet'> = (text, _kwargs, tables) => {
  const sentences = splitSentences(text, tables.get(punktEnglish))
  return (
    sentences.length === 26 &&
    sentences.every((sentence, index) => firstChar((splitSpace(sentence)[0] ?? '').toLowerCase()) === String.fromCharCode(97 + index))
  )
}

const capitals: Rule<'custom:european_capitals_sort'> = (text) => {
  const found = toAscii(text)
    .split(',')
    .map(strip)
    .filter((part) => part !== '')
  return found.length === northernCapitals.length && found.every((name, index) => name === northernCapitals[index])
}

/** Value of a run of decimal digits of any script; digits come in blocks of ten, zero first. */
function decimalValue(run: string): number {
  let value = 0
  for (const char of run) {
    let zero = char.codePointAt(0)!
    const code = zero
    while (isDecimal.test(String.fromCodePoint(zero - 1))) zero--
    value = value * 10 + ((code - zero) % 10)
  }
  return value
}

// Month 00 and day 00 pass.
function isNapoleonicDate(text: string): boolean {
  const [, year, month, day] = (dateForm.exec(text) ?? []).map(decimalValue)
  if (year === undefined || month === undefined || day === undefined) return false
  return year >= 1769 && year <= 1821 && month <= 12 && (month === 0 || day <= daysIn[month]!)
}

const dates: Rule<'custom:date_format_list'> = (text) => text.split(',').map(strip).every(isNapoleonicDate)

export const customRules = {
  'custom:multiples': multiples,
  'custom:mcq_count_length': growingQuestions,
  'custom:reverse_newline': africaReversed,
  'custom:word_reverse': wordsReversed,
  'custom:character_reverse': lettersReversed,
  'custom:sentence_alphabet': alphabetStory,
  'custom:european_capitals_sort': capitals,
  'custom:date_format_list': dates,
} satisfies Partial<IfbenchRules>
