import * as z from 'zod'
import { answerHead, answerSections, CompletionEvidence, shortenAnswer } from './completion.ts'
import type { Kind } from './kind.ts'

/**
 * A finished answer and what a judge said of it. The last reply holds the verdict, every earlier one could not be read;
 * `judge` is null where there was nothing to judge, such as an empty answer.
 */
export const JudgedEvidence = CompletionEvidence.extend({
  kind: z.literal('judged'),
  judge: z.object({ model: z.string(), replies: z.array(z.string()).min(1) }).nullable(),
})
export type JudgedEvidence = z.infer<typeof JudgedEvidence>

export const judged: Kind<JudgedEvidence> = {
  schema: JudgedEvidence,
  response: ({ text }) => text,
  sections(evidence) {
    const { model, replies } = evidence.judge ?? { model: '', replies: [] }
    const verdicts = replies.map((text, index) => ({
      title: index < replies.length - 1 ? `Judge ${model}, no verdict` : `Judge ${model}`,
      text,
      scored: index === replies.length - 1,
    }))
    return [...answerSections(evidence), ...verdicts]
  },
  shorten: shortenAnswer,
  head: answerHead,
  judge_output: ({ judge }) => judge,
}
