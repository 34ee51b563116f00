import * as z from 'zod'

/** A model provider as an agent knows it. The key stays on the agent; the edge is told everything else. */
export const Provider = z.object({
  id: z.string(),
  label: z.string(),
  kind: z.enum(['chutes', 'openai', 'demo']),
  base_url: z.string(),
  models: z.array(z.string()),
  api_key: z.string().nullable(),
})
export type Provider = z.infer<typeof Provider>
