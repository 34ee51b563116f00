import * as z from 'zod'
import { ToolCall } from '../message.ts'
import { LimitHit } from '../trial-limits.ts'
import type { Kind, Section } from './kind.ts'

/** A model's finished answer. `scoring_input` is null when the scorer reads `text` as it is (reference 0.3). */
export const CompletionEvidence = z.object({
  kind: z.literal('completion'),
  text: z.string(),
  reasoning: z.string().nullable(),
  finish_reason: z.string().nullable(),
  scoring_input: z.string().nullable(),
  truncated_reasoning: z.boolean(),
  /** Tools the model wanted called when it ended. */
  tool_calls: z.array(ToolCall).optional(),
  /** The text is a refusal that the provider told apart from content. */
  refused: z.boolean().optional(),
  /** The limit that ended the trial. */
  limit: LimitHit.optional(),
})
export type CompletionEvidence = z.infer<typeof CompletionEvidence>

type Answer = Omit<CompletionEvidence, 'kind'>

/** Answer and reasoning, of every kind that extends a completion. */
export function answerSections({ text, reasoning }: Answer): Section[] {
  const thought = reasoning ? [{ title: 'Reasoning', text: reasoning, scored: false }] : []
  return [...thought, { title: 'Answer', text, scored: true }]
}

/** Reasoning is cut at its end. */
export function shortenAnswer<E extends Answer>(evidence: E, chars: number): E {
  const reasoning = evidence.reasoning ?? ''
  return { ...evidence, reasoning: reasoning.slice(0, Math.max(0, reasoning.length - chars)) }
}

/** What an answer begins with; tools it wanted called are left out. */
export function answerHead<E extends Answer>({ tool_calls: _, ...evidence }: E, chars: number) {
  const head = (text: string): string => text.slice(0, chars).replace(/[\ud800-\udbff]$/, '') // half a pair is no character
  const { text, reasoning, scoring_input } = evidence
  return { ...evidence, text: head(text), reasoning: reasoning && head(reasoning), scoring_input: scoring_input && head(scoring_input) }
}

export const completion: Kind<CompletionEvidence> = {
  schema: CompletionEvidence,
  response: ({ text }) => text,
  sections: answerSections,
  shorten: shortenAnswer,
  head: answerHead,
  judge_output: () => null,
}
