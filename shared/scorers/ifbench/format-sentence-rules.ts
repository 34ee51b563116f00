import { codePoints, isAlpha, isLower, isUpper, strip } from '../../python/text.ts'
import { isEmoji } from '../emoji.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import { wordTokens } from '../nltk/word-tokens.ts'
import { firstChar, unpunctuated } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

// The last two characters are looked at because of variation selectors; an emoji that opens the next sentence ends this one.
const emojiPerSentence: Rule<'format:emoji'> = (text, _kwargs, tables) => {
  const sentences = splitSentences(text, tables.get(punktEnglish)).map((sentence) => strip(unpunctuated(sentence)))
  return sentences.every((sentence, index) => {
    if (sentence === '') return false
    if (codePoints(sentence).slice(-2).some(isEmoji)) return true
    const next = sentences[index + 1]
    return next !== undefined && next !== '' && isEmoji(firstChar(next))
  })
}

const sentencesThenBullets: Rule<'format:no_bullets_bullets'> = (text, _kwargs, tables) => {
  const punkt = tables.get(punktEnglish)
  let sentences = 0
  let bullets = 0
  let open = true
  for (const line of text.split('\n').map(strip)) {
    if (line.startsWith('*')) {
      if (sentences < 2) return false
      bullets += 1
      open = false
    } else {
      if (!open) return false
      const found = splitSentences(line, punkt).length
      sentences += found
      open = found > 0
    }
  }
  return bullets >= 2
}

/** Whether a word has the case of a title; mixed forms such as iPhone and McDonald do. */
function isTitleWord(word: string): boolean {
  const first = firstChar(word)
  if (!isAlpha(first) || !isLower(first)) return true
  const rest = word.slice(first.length)
  return rest !== '' && !isUpper(rest) && !isLower(rest)
}

const titleCase: Rule<'format:title_case'> = (text, _kwargs, tables) => wordTokens(text, tables.get(punktEnglish)).every(isTitleWord)

/** The checks of form that read sentences or tokens. */
export const formatSentenceRules = {
  'format:emoji': emojiPerSentence,
  'format:no_bullets_bullets': sentencesThenBullets,
  'format:title_case': titleCase,
} satisfies Partial<IfbenchRules>
