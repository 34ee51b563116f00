import * as z from 'zod'

/** `opening`: how many UTF-16 units at the beginning of `content` other items of the run begin with too (worked examples, a document); never amid a surrogate pair. */
export const Message = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
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

/** All that a scorer may read. One member per kind of benchmark; a kind joins the union together with its first benchmark. */
export const Evidence = z.discriminatedUnion('kind', [CompletionEvidence])
export type Evidence = z.infer<typeof Evidence>
export type EvidenceKind = Evidence['kind']
export type EvidenceOf<K extends EvidenceKind> = Extract<Evidence, { kind: K }>
export const evidenceKinds = ['completion'] as const satisfies readonly EvidenceKind[]
