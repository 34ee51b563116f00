import * as z from 'zod'
import { Message } from './message.ts'

/** What a scorer may know of an item besides the evidence. It travels in every record, so that any score can be recomputed. */
export const ItemFacts = z.object({
  target: z.string(),
  metadata: z.record(z.string(), z.json()),
})
export type ItemFacts = z.infer<typeof ItemFacts>

/** One data-set record as a benchmark presents it in one epoch. `item_id` is its row index; `source_id` the record's own key. */
export const Item = ItemFacts.extend({
  item_id: z.string(),
  source_id: z.string().nullable(),
  item_hash: z.string(),
  group: z.string().nullable(),
  messages: z.array(Message),
})
export type Item = z.infer<typeof Item>

/** What a scorer saw besides its verdict, for metrics and pages: checks, a judge's figures. Empty where the verdict says all. */
export const ScoreDetail = z.record(z.string(), z.json())

export const Score = z.object({
  value: z.number().min(0).max(1),
  outcome: z.enum(['right', 'wrong']),
  answer: z.string().nullable(),
  explanation: z.string(),
  flags: z.array(z.string()),
  detail: ScoreDetail.default({}),
})
export type Score = z.infer<typeof Score>
