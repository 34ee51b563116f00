import * as z from 'zod'
import { Sha256 } from './ids.ts'
import { Routing } from './routing.ts'

/** A picture shown with a message. `data` is its data URI: the agent alone has it, and no record keeps it. */
export const Picture = z.object({ media_type: z.string().max(60), sha256: Sha256, bytes: z.int().min(0), data: z.string().optional() })
export type Picture = z.infer<typeof Picture>

/** A tool that a model wants called. `arguments` is the text it wrote: JSON where it kept to the schema. */
export const ToolCall = z.object({ id: z.string().nullable(), name: z.string().nullable(), arguments: z.string() })
export type ToolCall = z.infer<typeof ToolCall>

/** A tool as a provider is told of it; `parameters` is a JSON schema. */
export const Tool = z.object({ name: z.string().min(1).max(64), description: z.string(), parameters: z.record(z.string(), z.json()) })
export type Tool = z.infer<typeof Tool>

/**
 * One message of a conversation. An assistant's may call tools; each call is answered by a message of role `tool` that names it by `tool_call_id`.
 * `opening`: how many UTF-16 units at the beginning of `content` other items of the run begin with too (worked examples, a document); never amid a surrogate pair.
 */
export const Message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  pictures: z.array(Picture).optional(),
  opening: z.int().min(1).optional(),
  tool_calls: z.array(ToolCall).min(1).optional(),
  tool_call_id: z.string().optional(),
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
  /** Most tokens of reasoning in an answer. Absent, as is what follows, where it is not asked for: what older runs are known by stays as it was. */
  reasoning_budget_tokens: z.int().min(1).max(1_000_000).optional(),
  routing: Routing.optional(),
  /** How the model calls tools: by the text of its answers, for servers without tools of their own. Absent: as its server has it. */
  tool_calling: z.literal('text').optional(),
})
export type ModelParams = z.infer<typeof ModelParams>
