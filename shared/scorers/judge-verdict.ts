import * as z from 'zod'
import { pySpace, pyWord } from '../python/text.ts'
import { scoringInput, thinkEnds } from './reasoning.ts'

/** What a judge of Humanity's Last Exam has to reply (reference 3.3); names and order are those of the official schema. */
const ExamVerdict = z.strictObject({
  extracted_final_answer: z.string(),
  reasoning: z.string(),
  correct: z.enum(['yes', 'no']),
  confidence: z.int(),
  strict: z.literal(true),
})
export type ExamVerdict = z.infer<typeof ExamVerdict>

/** The same as a JSON schema, for a structured reply: every field required, none beside them. */
export const examVerdictSchema = {
  type: 'object',
  properties: {
    extracted_final_answer: { type: 'string' },
    reasoning: { type: 'string' },
    correct: { type: 'string', enum: ['yes', 'no'] },
    confidence: { type: 'integer' },
    strict: { type: 'boolean', const: true },
  },
  required: ['extracted_final_answer', 'reasoning', 'correct', 'confidence', 'strict'],
  additionalProperties: false,
} as const

const fence = /^\s*```(?:json)?[ \t]*\r?\n([\s\S]*)\n[ \t]*```\s*$/i

/**
 * A judge's reply without its reasoning. JSON is looked for first, alone or in a Markdown fence: a think tag inside one of its texts is what the judge
 * quotes. Only what holds no object is cut behind its last think tag.
 */
export function judgeReply(reply: string): string {
  const starts = [0, ...thinkEnds(reply)]
  for (const start of starts) {
    const rest = reply.slice(start)
    if (/^\s*(?:\{|```)/.test(rest) && jsonOf(fence.exec(rest)?.[1] ?? rest) !== undefined) return rest
  }
  return scoringInput(reply).text
}

/**
 * The verdict of a reply, or null for anything but one object of exactly that shape: free text is never searched for a "yes". `fenced` takes the object
 * out of a Markdown fence first, for judges that were not held to the schema. Reasoning in think tags is no part of a reply.
 */
export function examVerdict(reply: string, { fenced }: { fenced: boolean }): ExamVerdict | null {
  const text = judgeReply(reply)
  const parsed = ExamVerdict.safeParse(jsonOf(fenced ? (fence.exec(text)?.[1] ?? text) : text))
  return parsed.success ? parsed.data : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const qualifiers = 'NOT|PARTIALLY|PARTLY|SEMI|MOSTLY|LARGELY|SOMEWHAT|NEARLY|ALMOST'
/** A verdict phrase with the qualifier that may stand before it; an identifier that ends in INCORRECT; or a named field with its value. */
const phrase = new RegExp(
  `(?<![${pyWord}])(?:(${qualifiers})[${pySpace}-]+)?_*(IN)?CORRECT_*(?![${pyWord}])|` +
    `(?<![${pyWord}])[A-Z]+_(?:(IN)CORRECT|CORRECT["'\`*]*[${pySpace}]*[:=]["'\`*${pySpace}]*(TRUE|YES|1|FALSE|NO|0))(?![${pyWord}])`,
  'gu',
)

/**
 * The verdict of an equality checker: the last verdict phrase counts, and only a bare CORRECT is right. A negation or a hedge directly before it ("not
 * correct", "partially correct") makes it wrong, as `parse_grade` of the pinned `aa_lcr.py` reads it; beyond it, underscores around the word are emphasis
 * and a field such as `is_correct: true` says what it says. Null where there is no verdict, for which upstream says INCORRECT: the judge is asked again.
 */
export function equalityVerdict(reply: string): boolean | null {
  let verdict: boolean | null = null
  for (const [, qualifier, not, named, value] of judgeReply(reply).toUpperCase().matchAll(phrase)) {
    if (named !== undefined) verdict = false
    else if (value !== undefined) verdict = /^[TY1]/.test(value)
    else verdict = qualifier === undefined && not === undefined
  }
  return verdict
}
