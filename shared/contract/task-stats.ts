import * as z from 'zod'

/** `GET /api/stats`: tasks by status and episodes by how they ended, of the caller. */
export const TaskStats = z.object({
  tasks: z.object({ total: z.int(), pending: z.int(), running: z.int(), completed: z.int(), failed: z.int() }),
  runs: z.object({ total: z.int(), passed: z.int(), failed: z.int() }),
})
export type TaskStats = z.infer<typeof TaskStats>
