import { hasWord, splitSpace } from '../../python/text.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import { bareLeft, bareWords, firstChar } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

/** How many words of a sentence stand in runs of two or more that begin alike. */
function alliteration(sentence: string): number {
  const initials = splitSpace(sentence.toLowerCase())
    .map((word) => firstChar(bareLeft(word)))
    .filter((initial) => initial !== '')
  let value = 0
  for (let at = 1; at < initials.length; at++) {
    if (initials[at] !== initials[at - 1]) continue
    value += at >= 2 && initials[at - 2] === initials[at - 1] ? 1 : 2
  }
  return value
}

const alliterationIncrement: Rule<'sentence:alliteration_increment'> = (text, _kwargs, tables) => {
  let before = -1
  return splitSentences(text, tables.get(punktEnglish)).every((sentence) => {
    const value = alliteration(sentence)
    const grown = value > before
    before = value
    return grown
  })
}

const keywordInSentence: Rule<'sentence:keyword'> = (text, kwargs, tables) => {
  const sentence = splitSentences(text, tables.get(punktEnglish))[kwargs.N - 1]
  return sentence !== undefined && hasWord(sentence, kwargs.word, { ignoreCase: true })
}

// Without any sentence the official check raises; that follows nothing.
const wordIncrement: Rule<'sentence:increment'> = (text, kwargs, tables) => {
  const counts = splitSentences(text, tables.get(punktEnglish)).map((sentence) => bareWords(sentence).length)
  const step = kwargs.small_n
  return counts.length > 0 && counts.every((count, index) => index === 0 || count === counts[index - 1]! + step)
}

export const sentenceRules = {
  'sentence:alliteration_increment': alliterationIncrement,
  'sentence:keyword': keywordInSentence,
  'sentence:increment': wordIncrement,
} satisfies Partial<IfbenchRules>
