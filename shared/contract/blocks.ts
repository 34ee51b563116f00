import * as z from 'zod'

/** From how long on a standstill of an agent's program counts, and over how long they are counted. */
export const blockMs = 50
export const blocksWindowMs = 10 * 60_000

/** Times in the last ten minutes that an agent's program stood still for more than 50 ms: nothing was sent or read meanwhile. */
export const Blocks = z.object({ count: z.int().min(0), longest_ms: z.int().min(0) })
export type Blocks = z.infer<typeof Blocks>
