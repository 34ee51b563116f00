import * as z from 'zod'

/** Capability of an agent that has a Sandy service and answers questions about it. */
export const tellsSandy = 'tells-sandy'

/** What the fleet asks an agent about its Sandy service. */
export const SandyQuestion = z.object({
  what: z.enum(['resources', 'metrics', 'sandboxes']),
  hours: z.int().min(1).max(48).optional(),
  ids: z.array(z.string().max(200)).max(200).optional(),
})
export type SandyQuestion = z.infer<typeof SandyQuestion>

/** What the agent found: the text that the service answered, or why there is none. */
export const SandyAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), body: z.string().max(600_000) }),
  z.object({ ok: z.literal(false), why: z.string().max(300) }),
])
export type SandyAnswer = z.infer<typeof SandyAnswer>
