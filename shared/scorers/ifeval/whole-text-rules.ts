import { isLower, isUpper, strip, stripChars } from '../../python/text.ts'
import { compare } from '../instructions/compare.ts'
import { detectLanguage, langdetectProfiles } from '../langdetect/detect.ts'
import { punktEnglish } from '../nltk/punkt.ts'
import { wordTokens } from '../nltk/word-tokens.ts'
import type { Tables } from '../tables.ts'
import type { IfevalRules } from './kwargs.ts'
import { partsBetween } from './length-rules.ts'

/** A text without features is in any language: the official checker takes the error of the detector as followed. */
function isIn(language: string, text: string, tables: Tables): boolean {
  const found = detectLanguage(text, tables.get(langdetectProfiles))
  return found === null || found === language
}

/** Instructions about language, letter case, signs, beginning and end of the answer. */
export const wholeTextRules = {
  'language:response_language': (text, { language }, tables) => isIn(language, text, tables),
  'combination:two_responses': (text) => {
    const responses = partsBetween(text.split('******'))
    return responses?.length === 2 && strip(responses[0]!) !== strip(responses[1]!)
  },
  'combination:repeat_prompt': (text, { prompt_to_repeat }) => strip(text).toLowerCase().startsWith(strip(prompt_to_repeat).toLowerCase()),
  'startend:end_checker': (text, { end_phrase }) => stripChars(strip(text), '"').toLowerCase().endsWith(strip(end_phrase).toLowerCase()),
  'startend:quotation': (text) => {
    const body = strip(text)
    return body.length > 1 && body.startsWith('"') && body.endsWith('"')
  },
  'change_case:capital_word_frequency': (text, { capital_frequency, capital_relation }, tables) =>
    compare(wordTokens(text, tables.get(punktEnglish)).filter(isUpper).length, capital_relation, capital_frequency),
  'change_case:english_capital': (text, _kwargs, tables) => isUpper(text) && isIn('en', text, tables),
  'change_case:english_lowercase': (text, _kwargs, tables) => isLower(text) && isIn('en', text, tables),
  'punctuation:no_comma': (text) => !text.includes(','),
} satisfies Partial<IfevalRules>
