import * as z from 'zod'
import { scoringInput } from './reasoning.ts'

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
 * The verdict of a reply, or null for anything but one object of exactly that shape: free text is never searched for a "yes". `fenced` takes the object
 * out of a Markdown fence first, for judges that were not held to the schema. Reasoning in think tags is no part of a reply.
 */
export function examVerdict(reply: string, { fenced }: { fenced: boolean }): ExamVerdict | null {
  const { text } = scoringInput(reply)
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

/**
 * The verdict of an equality checker: true for CORRECT, false for INCORRECT. Of several, the last whole word counts, so "not CORRECT … INCORRECT" is
 * false; null where neither word stands alone ("INCORRECTLY" is neither). Underscores around a word are emphasis. Source: reference 7.4.
 */
export function equalityVerdict(reply: string): boolean | null {
  let verdict: boolean | null = null
  for (const [word] of scoringInput(reply)
    .text.toUpperCase()
    .matchAll(/[\p{L}\p{N}_]+/gu)) {
    const found = /^_{0,9}(IN)?CORRECT_{0,9}$/.exec(word)
    if (found) verdict = found[1] === undefined
  }
  return verdict
}
