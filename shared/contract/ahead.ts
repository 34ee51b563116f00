import * as z from 'zod'
import { BenchmarkName } from './ids.ts'

/** Most items that one agent is told of at a time. */
export const mostAhead = 16

/** An item whose next trial nobody has yet: who is told of it may make its machine's images ready. */
export const AheadItem = z.object({ benchmark: BenchmarkName, item_id: z.string().max(300) })
export type AheadItem = z.infer<typeof AheadItem>
