import * as z from 'zod'
import { strip } from '../../python/text.ts'
import { relations } from '../instructions/compare.ts'
import type { Tables } from '../tables.ts'

/** Numbers that upstream would draw at random where they are missing or negative; here such a row is refused. */
const Count = z.int().min(0)
const Relation = z.enum(relations)

/** Words that upstream puts into a regular expression as they are; one that would not stand for itself there is refused. */
const Plain = z
  .string()
  .transform(strip)
  .pipe(z.string().regex(/^[^\\^$.|?*+()[\]{}]+$/, 'would be a regular expression upstream'))
/** The same without trimming, for the two instructions in which upstream does not trim. */
const PlainUntrimmed = z.string().regex(/^[^\\^$.|?*+()[\]{}]+$/, 'would be a regular expression upstream')

const none = z.strictObject({})

/** What every instruction of IFEval takes (reference 5.3). A key that it does not know is refused, as upstream. */
export const ifevalKwargs = {
  'keywords:existence': z.strictObject({ keywords: z.array(PlainUntrimmed).min(1) }),
  'keywords:frequency': z.strictObject({ keyword: Plain, frequency: Count, relation: Relation }),
  'keywords:forbidden_words': z.strictObject({ forbidden_words: z.array(PlainUntrimmed).min(1) }),
  'keywords:letter_frequency': z.strictObject({
    letter: z.string().regex(/^.$/su, 'is not one character'),
    let_frequency: Count,
    let_relation: Relation,
  }),
  'language:response_language': z.strictObject({ language: z.string().regex(/^[a-z]{2}(-[a-z]{2})?$/) }),
  'length_constraints:number_sentences': z.strictObject({ num_sentences: Count, relation: Relation }),
  'length_constraints:number_paragraphs': z.strictObject({ num_paragraphs: Count }),
  'length_constraints:number_words': z.strictObject({ num_words: Count, relation: Relation }),
  'length_constraints:nth_paragraph_first_word': z
    .strictObject({ num_paragraphs: Count, nth_paragraph: z.int().min(1), first_word: z.string().min(1) })
    .refine((kwargs) => kwargs.nth_paragraph <= kwargs.num_paragraphs, 'nth_paragraph is beyond num_paragraphs'),
  'detectable_content:number_placeholders': z.strictObject({ num_placeholders: Count }),
  'detectable_content:postscript': z.strictObject({
    postscript_marker: z.union([
      z
        .string()
        .transform(strip)
        .pipe(z.enum(['P.S.', 'P.P.S'])),
      Plain,
    ]),
  }),
  'detectable_format:number_bullet_lists': z.strictObject({ num_bullets: Count }),
  'detectable_format:constrained_response': none,
  'detectable_format:number_highlighted_sections': z.strictObject({ num_highlights: Count }),
  'detectable_format:multiple_sections': z.strictObject({ section_spliter: Plain, num_sections: Count }),
  'detectable_format:json_format': none,
  'detectable_format:title': none,
  'combination:two_responses': none,
  'combination:repeat_prompt': z.strictObject({ prompt_to_repeat: z.string().min(1) }),
  'startend:end_checker': z.strictObject({ end_phrase: z.string().min(1) }),
  'startend:quotation': none,
  'change_case:capital_word_frequency': z.strictObject({ capital_frequency: z.int(), capital_relation: Relation }),
  'change_case:english_capital': none,
  'change_case:english_lowercase': none,
  'punctuation:no_comma': none,
} as const satisfies Record<string, z.ZodType>

export type IfevalId = keyof typeof ifevalKwargs

export function isIfevalId(id: string): id is IfevalId {
  return Object.hasOwn(ifevalKwargs, id)
}

/** The rule of one instruction, over kwargs that were parsed. */
export type IfevalRules = {
  [Id in IfevalId]: (text: string, kwargs: z.infer<(typeof ifevalKwargs)[Id]>, tables: Tables) => boolean
}
