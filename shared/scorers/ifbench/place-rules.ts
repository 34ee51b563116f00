import { codePoints, isAlnum, punctuation, splitSpace } from '../../python/text.ts'
import { firstTag, perceptronTagger } from '../nltk/perceptron-tagger.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import { wordTokens } from '../nltk/word-tokens.ts'
import { bareLeft, bareRight } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

const startsWithVerb: Rule<'words:start_verb'> = (text, _kwargs, tables) => {
  const tokens = wordTokens(text, tables.get(punktEnglish))
  return tokens.length > 0 && firstTag(tokens, tables.get(perceptronTagger)).includes('VB')
}

// The last word loses its punctuation, the first one only what stands before it: "stars." is followed by "Stars", not by "Stars,".
const lastIsFirst: Rule<'words:last_first'> = (text, _kwargs, tables) => {
  const sentences = splitSentences(text, tables.get(punktEnglish))
  return sentences.slice(1).every((next, index) => {
    const last = splitSpace(bareRight(sentences[index]!)).at(-1)
    const first = splitSpace(bareLeft(next))[0]
    return last !== undefined && first !== undefined && last.toLowerCase() === first.toLowerCase()
  })
}

const keywordPlace: Rule<'words:keywords_specific_position'> = (text, kwargs, tables) => {
  const punkt = tables.get(punktEnglish)
  const sentence = splitSentences(text, punkt)[kwargs.n - 1]
  if (sentence === undefined) return false
  const words = wordTokens(sentence, punkt).filter((token) => codePoints(token).some(isAlnum))
  return words[kwargs.m - 1]?.toLowerCase() === kwargs.keyword.toLowerCase()
}

const secondAndSecondToLast: Rule<'words:words_position'> = (text, kwargs, tables) => {
  const tokens = wordTokens(text, tables.get(punktEnglish))
  const last = tokens.at(-1)
  if (last === undefined) return false
  const keyword = kwargs.keyword.toLowerCase()
  const fromEnd = punctuation.includes(last) ? -3 : -2
  return tokens[1]?.toLowerCase() === keyword && tokens.at(fromEnd)?.toLowerCase() === keyword
}

/** The checks of words at a certain place. */
export const placeRules = {
  'words:start_verb': startsWithVerb,
  'words:last_first': lastIsFirst,
  'words:keywords_specific_position': keywordPlace,
  'words:words_position': secondAndSecondToLast,
} satisfies Partial<IfbenchRules>
