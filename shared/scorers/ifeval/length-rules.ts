import { lstripChars, pySpace, splitSpace, wordRuns } from '../../python/text.ts'
import { compare } from '../instructions/compare.ts'
import { isBlank } from '../instructions/variants.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { splitSentences } from '../nltk/sentences.ts'
import type { IfevalRules } from './kwargs.ts'

const divider = new RegExp(`[${pySpace}]?\\*\\*\\*[${pySpace}]?`, 'u')

/** Parts that are not blank; null when a part between others is. */
export function partsBetween(parts: readonly string[]): string[] | null {
  const filled = parts.filter((part) => !isBlank(part))
  const inner = parts.slice(1, -1).filter((part) => !isBlank(part)).length
  return inner === Math.max(0, parts.length - 2) ? filled : null
}

/** The lower-cased first token of a paragraph: leading quotes dropped, ending before a sign. */
function firstWord(paragraph: string): string {
  const token = lstripChars(lstripChars(splitSpace(paragraph)[0]!, "'"), '"')
  let word = ''
  for (const char of token) {
    if (`.,?!'"`.includes(char)) break
    word += char.toLowerCase()
  }
  return word
}

/** Instructions about the length of the answer and of its parts. */
export const lengthRules = {
  'length_constraints:number_sentences': (text, { num_sentences, relation }, tables) =>
    compare(splitSentences(text, tables.get(punktEnglish)).length, relation, num_sentences),
  'length_constraints:number_paragraphs': (text, { num_paragraphs }) => partsBetween(text.split(divider))?.length === num_paragraphs,
  'length_constraints:number_words': (text, { num_words, relation }) => compare(wordRuns(text).length, relation, num_words),
  // Upstream counts the paragraphs that are not blank, but takes the nth of all of them.
  'length_constraints:nth_paragraph_first_word': (text, { num_paragraphs, nth_paragraph, first_word }) => {
    const chunks = text.split('\n\n')
    const count = chunks.filter((chunk) => !isBlank(chunk)).length
    const chunk = chunks[nth_paragraph - 1]
    if (count !== num_paragraphs || nth_paragraph > count || chunk === undefined || isBlank(chunk)) return false
    return firstWord(chunk) === first_word.toLowerCase()
  },
} satisfies Partial<IfevalRules>
