import * as z from 'zod'
import { Sha256 } from './ids.ts'

/** A picture shown with a message. `data` is its data URI: the agent alone has it, and no record keeps it. */
export const Picture = z.object({ media_type: z.string().max(60), sha256: Sha256, bytes: z.int().min(0), data: z.string().optional() })
export type Picture = z.infer<typeof Picture>

/** `opening`: how many UTF-16 units at the beginning of `content` other items of the run begin with too (worked examples, a document); never amid a surrogate pair. */
export const Message = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  pictures: z.array(Picture).optional(),
  opening: z.int().min(1).optional(),
})
export type Message = z.infer<typeof Message>

/** Request parameters sent with every call of a benchmark; null means: not sent. */
export const ModelParams = z.object({
  temperature: z.number().min(0).max(2).nullable(),
  top_p: z.number().gt(0).max(1).nullable(),
  max_tokens: z.int().min(1).max(1_000_000).nullable(),
  stop: z.array(z.string()).max(4).nullable(),
  seed: z.int().nullable(),
  reasoning_effort: z.string().max(20).nullable(),
})
export type ModelParams = z.infer<typeof ModelParams>

/** A model's finished answer. `scoring_input` is null when the scorer reads `text` as it is (reference 0.3). */
export const CompletionEvidence = z.object({
  kind: z.literal('completion'),
  text: z.string(),
  reasoning: z.string().nullable(),
  finish_reason: z.string().nullable(),
  scoring_input: z.string().nullable(),
  truncated_reasoning: z.boolean(),
})

/**
 * A finished answer and what a judge said of it. The last reply holds the verdict, every earlier one could not be read;
 * `judge` is null where there was nothing to judge, such as an empty answer.
 */
export const JudgedEvidence = CompletionEvidence.extend({
  kind: z.literal('judged'),
  judge: z.object({ model: z.string(), replies: z.array(z.string()).min(1) }).nullable(),
})

/** All that a scorer may read. One member per kind of benchmark; a kind joins the union together with its first benchmark. */
export const Evidence = z.discriminatedUnion('kind', [CompletionEvidence, JudgedEvidence])
export type Evidence = z.infer<typeof Evidence>
export type EvidenceKind = Evidence['kind']
type EvidenceByKind = { [K in EvidenceKind]: Extract<Evidence, { kind: K }> }
export type EvidenceOf<K extends EvidenceKind> = EvidenceByKind[K]
export const evidenceKinds = ['completion', 'judged'] as const satisfies readonly EvidenceKind[]
