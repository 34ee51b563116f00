import type { Check, Checks } from '../instructions/check.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { wordTokens } from '../nltk/word-tokens.ts'
import { codePoints, countOf, isDigit, splitSpace, strip, wordRuns } from '../python-text.ts'
import { numberOf, textOf } from './arguments.ts'
import { bare, unpunctuated } from './bare-words.ts'
import { personNames, pronouns } from './word-lists.ts'

const conjunctions = new Set(['and', 'but', 'for', 'nor', 'or', 'so', 'yet'])
const isPronoun = new Set(pronouns)
const digits = /\p{Nd}+/gu
const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/
const marks = ['.', ',', '!', '?', ';', ':']

const wordCountRange: Check = (text, kwargs) => {
  const count = wordRuns(text).length
  return count >= numberOf(kwargs, 'min_words') && count <= numberOf(kwargs, 'max_words')
}

// A token of punctuation alone counts as one more word, the empty one.
const uniqueWordCount: Check = (text, kwargs) => new Set(splitSpace(text.toLowerCase()).map(bare)).size >= numberOf(kwargs, 'N')

// Raw tokens are told apart, so "and" and "And," are two.
const differentConjunctions: Check = (text, kwargs) => {
  const found = splitSpace(text).filter((token) => conjunctions.has(bare(token).toLowerCase()))
  return new Set(found).size >= numberOf(kwargs, 'small_n')
}

// A name of letters alone stands between word boundaries just where it is a whole run of word characters.
const differentNames: Check = (text, kwargs) => {
  const runs = new Set(wordRuns(text))
  return personNames.filter((name) => runs.has(name)).length >= numberOf(kwargs, 'N')
}

const numbers: Check = (text, kwargs) => (unpunctuated(text).match(digits)?.length ?? 0) === numberOf(kwargs, 'N')

const everyMark: Check = (text) => {
  if (!text.includes('!?') && !text.includes('?!') && !text.includes('\u203d')) return false
  const rest = text.replace(text.includes('?!') ? '?!' : '!?', '')
  return marks.every((mark) => rest.includes(mark))
}

const everyNthJapanese: Check = (text, kwargs) => {
  const period = numberOf(kwargs, 'N')
  return splitSpace(text).every((token, index) => {
    if ((index + 1) % period !== 0) return true
    const word = bare(token)
    return word === '' || codePoints(word).every(isDigit) || japanese.test(word)
  })
}

const pronounCount: Check = (text, kwargs, tables) => {
  const tokens = wordTokens(text.replaceAll('/', ' ').toLowerCase(), tables.get(punktEnglish))
  return tokens.filter((token) => isPronoun.has(token)).length >= numberOf(kwargs, 'N')
}

const keywordTimes = { keyword1: 1, keyword2: 2, keyword3: 3, keyword4: 5, keyword5: 7 } as const

const keywordCounts: Check = (text, kwargs) => {
  const lower = text.toLowerCase()
  return Object.entries(keywordTimes).every(([name, times]) => countOf(lower, strip(textOf(kwargs, name)).toLowerCase()) === times)
}

export const countChecks = {
  'count:word_count_range': wordCountRange,
  'count:unique_word_count': uniqueWordCount,
  'count:conjunctions': differentConjunctions,
  'count:person_names': differentNames,
  'count:numbers': numbers,
  'count:punctuation': everyMark,
  'count:words_japanese': everyNthJapanese,
  'count:pronouns': pronounCount,
  'count:keywords_multiple': keywordCounts,
} as const satisfies Checks
