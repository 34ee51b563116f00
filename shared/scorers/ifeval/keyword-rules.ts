import { countOf, foldCase, hasWord } from '../../python/text.ts'
import { compare } from '../instructions/compare.ts'
import type { IfevalRules } from './kwargs.ts'

/** Instructions about words and letters. */
export const keywordRules = {
  'keywords:existence': (text, { keywords }) => {
    const folded = foldCase(text)
    return keywords.every((keyword) => folded.includes(foldCase(keyword)))
  },
  'keywords:frequency': (text, { keyword, frequency, relation }) =>
    compare(countOf(foldCase(text), foldCase(keyword)), relation, frequency),
  'keywords:forbidden_words': (text, { forbidden_words }) => !forbidden_words.some((word) => hasWord(text, word, { ignoreCase: true })),
  // Upstream draws a random letter in place of a sign that is not one of a-z; here that very sign is counted (reference 5.3).
  'keywords:letter_frequency': (text, { letter, let_frequency, let_relation }) =>
    compare(countOf(text.toLowerCase(), letter.toLowerCase()), let_relation, let_frequency),
} satisfies Partial<IfevalRules>
