import { codePoints, strip, wordRuns } from '../../python/text.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import { stopwordsEnglish } from '../nltk/stopwords.ts'
import type { Tables } from '../tables.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

const stopWords: Rule<'ratio:stop_words'> = (text, kwargs, tables) => {
  const words = wordRuns(text)
  if (words.length === 0) return false
  const stops = tables.get(stopwordsEnglish)
  const share = words.filter((word) => stops.has(word.toLowerCase())).length / words.length
  return share * 100 <= kwargs.percentage
}

/** Trigrams of characters; the prompts speak of words, the official check of the text itself (reference 6.8). */
function* trigrams(text: string): Generator<string> {
  const chars = codePoints(text)
  for (let at = 2; at < chars.length; at++) yield chars[at - 2]! + chars[at - 1]! + chars[at]!
}

const overlap: Rule<'ratio:overlap'> = (text, { reference_text, percentage }) => {
  const own = new Set(trigrams(text))
  const { size } = own
  if (size === 0) return false
  let shared = 0
  for (const trigram of trigrams(reference_text)) if (own.delete(trigram)) shared++
  const found = (shared / size) * 100
  return found >= percentage - 2 && found <= percentage + 2
}

function endings(text: string, tables: Tables): { declarative: number; interrogative: number; exclamatory: number } {
  const sentences = splitSentences(text, tables.get(punktEnglish))
  const endingIn = (mark: string) => sentences.filter((sentence) => sentence.endsWith(mark)).length
  return { declarative: endingIn('.'), interrogative: endingIn('?'), exclamatory: endingIn('!') }
}

const twoToOne: Rule<'ratio:sentence_type'> = (text, _kwargs, tables) => {
  const { declarative, interrogative } = endings(text, tables)
  return declarative === 2 * interrogative
}

const balanced: Rule<'ratio:sentence_balance'> = (text, _kwargs, tables) => {
  const { declarative, interrogative, exclamatory } = endings(text, tables)
  return declarative === interrogative && interrogative === exclamatory
}

// The instruction also asks for different words; the official check never looks at them.
const threeOfOneLength: Rule<'ratio:sentence_words'> = (text, _kwargs, tables) => {
  const sentences = splitSentences(text, tables.get(punktEnglish))
  return sentences.length === 3 && new Set(sentences.map((sentence) => codePoints(strip(sentence)).length)).size === 1
}

export const ratioRules = {
  'ratio:stop_words': stopWords,
  'ratio:sentence_type': twoToOne,
  'ratio:sentence_balance': balanced,
  'ratio:overlap': overlap,
  'ratio:sentence_words': threeOfOneLength,
} satisfies Partial<IfbenchRules>
