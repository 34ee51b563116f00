import type { Check, Checks } from '../instructions/check.ts'
import { firstTag, perceptronTagger } from '../nltk/perceptron-tagger.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import { wordTokens } from '../nltk/word-tokens.ts'
import { codePoints, isAlnum, lstripChars, punctuation, rstripChars, splitSpace, strip } from '../python-text.ts'
import { numberOf, textOf } from './arguments.ts'

const edge = `${punctuation} `

const startsWithVerb: Check = (text, _kwargs, tables) => {
  const tokens = wordTokens(text, tables.get(punktEnglish))
  return tokens.length > 0 && firstTag(tokens, tables.get(perceptronTagger)).includes('VB')
}

// The last word loses its punctuation, the first one only what stands before it: "stars." is followed by "Stars", not by "Stars,".
const lastIsFirst: Check = (text, _kwargs, tables) => {
  const sentences = splitSentences(text, tables.get(punktEnglish))
  return sentences.slice(1).every((next, index) => {
    const last = splitSpace(rstripChars(sentences[index]!, edge)).at(-1)
    const first = splitSpace(lstripChars(next, edge))[0]
    return last !== undefined && first !== undefined && last.toLowerCase() === first.toLowerCase()
  })
}

const keywordPlace: Check = (text, kwargs, tables) => {
  const punkt = tables.get(punktEnglish)
  const sentence = splitSentences(text, punkt)[numberOf(kwargs, 'n') - 1]
  if (sentence === undefined) return false
  const words = wordTokens(sentence, punkt).filter((token) => codePoints(token).some(isAlnum))
  return words[numberOf(kwargs, 'm') - 1]?.toLowerCase() === strip(textOf(kwargs, 'keyword')).toLowerCase()
}

const secondAndSecondToLast: Check = (text, kwargs, tables) => {
  const tokens = wordTokens(text, tables.get(punktEnglish))
  const last = tokens.at(-1)
  if (last === undefined) return false
  const keyword = strip(textOf(kwargs, 'keyword')).toLowerCase()
  const fromEnd = punctuation.includes(last) ? -3 : -2
  return tokens[1]?.toLowerCase() === keyword && tokens.at(fromEnd)?.toLowerCase() === keyword
}

/** The checks of words at a certain place. */
export const placeChecks = {
  'words:start_verb': startsWithVerb,
  'words:last_first': lastIsFirst,
  'words:keywords_specific_position': keywordPlace,
  'words:words_position': secondAndSecondToLast,
} as const satisfies Checks
