import { codePoints, countOf, isDigit, splitSpace, wordRuns } from '../../python/text.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { wordTokens } from '../nltk/word-tokens.ts'
import { bare, unpunctuated } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'
import { personNames, pronouns } from './word-lists.ts'

const conjunctions = new Set(['and', 'but', 'for', 'nor', 'or', 'so', 'yet'])
const isPronoun = new Set(pronouns)
const digits = /\p{Nd}+/gu
const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/
const marks = ['.', ',', '!', '?', ';', ':']

const wordCountRange: Rule<'count:word_count_range'> = (text, kwargs) => {
  const count = wordRuns(text).length
  return count >= kwargs.min_words && count <= kwargs.max_words
}

// A token of punctuation alone counts as one more word, the empty one.
const uniqueWordCount: Rule<'count:unique_word_count'> = (text, kwargs) =>
  new Set(splitSpace(text.toLowerCase()).map(bare)).size >= kwargs.N

// Raw tokens are told apart, so "and" and "And," are two.
const differentConjunctions: Rule<'count:conjunctions'> = (text, kwargs) => {
  const found = splitSpace(text).filter((token) => conjunctions.has(bare(token).toLowerCase()))
  return new Set(found).size >= kwargs.small_n
}

// A name of letters alone stands between word boundaries just where it is a whole run of word characters.
const differentNames: Rule<'count:person_names'> = (text, kwargs) => {
  const runs = new Set(wordRuns(text))
  return personNames.filter((name) => runs.has(name)).length >= kwargs.N
}

const numbers: Rule<'count:numbers'> = (text, kwargs) => (unpunctuated(text).match(digits)?.length ?? 0) === kwargs.N

const everyMark: Rule<'count:punctuation'> = (text) => {
  if (!text.includes('!?') && !text.includes('?!') && !text.includes('\u203d')) return false
  const rest = text.replace(text.includes('?!') ? '?!' : '!?', '')
  return marks.every((mark) => rest.includes(mark))
}

const everyNthJapanese: Rule<'count:words_japanese'> = (text, kwargs) => {
  const period = kwargs.N
  return splitSpace(text).every((token, index) => {
    if ((index + 1) % period !== 0) return true
    const word = bare(token)
    return word === '' || codePoints(word).every(isDigit) || japanese.test(word)
  })
}

const pronounCount: Rule<'count:pronouns'> = (text, kwargs, tables) => {
  const tokens = wordTokens(text.replaceAll('/', ' ').toLowerCase(), tables.get(punktEnglish))
  return tokens.filter((token) => isPronoun.has(token)).length >= kwargs.N
}

const keywordTimes = [
  ['keyword1', 1],
  ['keyword2', 2],
  ['keyword3', 3],
  ['keyword4', 5],
  ['keyword5', 7],
] as const

const keywordCounts: Rule<'count:keywords_multiple'> = (text, kwargs) => {
  const lower = text.toLowerCase()
  return keywordTimes.every(([name, times]) => countOf(lower, kwargs[name].toLowerCase()) === times)
}

export const countRules = {
  'count:word_count_range': wordCountRange,
  'count:unique_word_count': uniqueWordCount,
  'count:conjunctions': differentConjunctions,
  'count:person_names': differentNames,
  'count:numbers': numbers,
  'count:punctuation': everyMark,
  'count:words_japanese': everyNthJapanese,
  'count:pronouns': pronounCount,
  'count:keywords_multiple': keywordCounts,
} satisfies Partial<IfbenchRules>
