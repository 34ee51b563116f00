import * as z from 'zod'
import { RunHead } from './run.ts'

/**
 * First message of every live stream: the folded state that the following events build on. `id`, `message` and `created_at` are the fields of an
 * event, for clients that list every message.
 */
export const Snapshot = z.object({
  event_type: z.literal('snapshot'),
  id: z.int().optional(),
  message: z.string().optional(),
  created_at: z.string().optional(),
  head: RunHead,
})
export type Snapshot = z.infer<typeof Snapshot>
