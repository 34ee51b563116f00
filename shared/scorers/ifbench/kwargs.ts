import * as z from 'zod'
import { strip } from '../../python/text.ts'
import type { Tables } from '../tables.ts'

/** Numbers that upstream would draw at random where they are missing or negative; here such a row is refused. */
const Count = z.int().min(0)
const Place = z.int().min(1)
const Percent = z.number().min(0)
const Text = z.string().min(1)
const Keyword = z.string().transform(strip).pipe(Text)

const none = z.strictObject({})
const atLeast = z.strictObject({ N: Count })
const small = z.strictObject({ small_n: Count })

/** What every instruction of IFBench takes (reference 6.3). A key that it does not know is refused, as upstream. */
export const ifbenchKwargs = {
  'count:word_count_range': z.strictObject({ min_words: Count, max_words: Count }),
  'count:unique_word_count': atLeast,
  'count:conjunctions': small,
  'count:person_names': atLeast,
  'count:numbers': atLeast,
  'count:punctuation': none,
  'count:words_japanese': z.strictObject({ N: Place }),
  'count:pronouns': atLeast,
  'count:keywords_multiple': z.strictObject({
    keyword1: Keyword,
    keyword2: Keyword,
    keyword3: Keyword,
    keyword4: Keyword,
    keyword5: Keyword,
  }),
  'ratio:stop_words': z.strictObject({ percentage: Percent }),
  'ratio:sentence_type': none,
  'ratio:sentence_balance': none,
  'ratio:overlap': z.strictObject({ reference_text: z.string(), percentage: Percent }),
  'ratio:sentence_words': none,
  'sentence:alliteration_increment': none,
  'sentence:keyword': z.strictObject({ word: Text, N: Place }),
  'sentence:increment': small,
  'words:alphabet': none,
  'words:vowel': none,
  'words:consonants': none,
  'words:palindrome': none,
  'words:prime_lengths': none,
  'words:start_verb': none,
  'words:repeats': small,
  'words:odd_even_syllables': none,
  'words:last_first': none,
  'words:paragraph_last_first': none,
  'words:no_consecutive': none,
  'words:keywords_specific_position': z.strictObject({ keyword: Keyword, n: Place, m: Place }),
  'words:words_position': z.strictObject({ keyword: Keyword }),
  'format:parentheses': none,
  'format:quotes': none,
  'format:options': z.strictObject({ options: Text }),
  'format:newline': none,
  'format:emoji': none,
  'format:line_indent': none,
  'format:quote_unquote': none,
  'format:list': z.strictObject({ sep: Text }),
  'format:thesis': none,
  'format:sub-bullets': none,
  'format:no_bullets_bullets': none,
  'format:title_case': none,
  'format:output_template': none,
  'format:no_whitespace': none,
  'custom:multiples': none,
  'custom:mcq_count_length': none,
  'custom:reverse_newline': none,
  'custom:word_reverse': none,
  'custom:character_reverse': none,
  'custom:sentence_alphabet': none,
  'custom:european_capitals_sort': none,
  'custom:csv_city': none,
  'custom:csv_special_character': none,
  'custom:csv_quotes': none,
  'custom:date_format_list': none,
  'repeat:repeat_change': z.strictObject({ prompt_to_repeat: Text }),
  'repeat:repeat_simple': none,
  'repeat:repeat_span': z.strictObject({ prompt_to_repeat: Text, n_start: Count, n_end: Count }),
} as const satisfies Record<string, z.ZodType>

/** Id of an instruction of IFBench. */
export type IfbenchId = keyof typeof ifbenchKwargs

export function isIfbenchId(id: string): id is IfbenchId {
  return Object.hasOwn(ifbenchKwargs, id)
}

/** Whether a text follows an instruction, over kwargs that were parsed. */
export type Rule<Id extends IfbenchId> = (text: string, kwargs: z.infer<(typeof ifbenchKwargs)[Id]>, tables: Tables) => boolean

export type IfbenchRules = { [Id in IfbenchId]: Rule<Id> }
