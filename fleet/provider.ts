import * as z from 'zod'

/** A model provider as an agent knows it. The key stays on the agent; the edge is told everything else. */
export const Provider = z.object({
  id: z.string().min(1).max(40),
  label: z.string(),
  kind: z.enum(['chutes', 'openai', 'demo']),
  base_url: z.string(),
  models: z.array(z.string()),
  api_key: z.string().nullable(),
  /** Requests a second that the key allows over all agents together; absent where that is not known. */
  rate_limit: z.int().min(1).nullish(),
})
export type Provider = z.infer<typeof Provider>

/** The providers with Chutes among them: without a key of this agent's own it still serves runs whose owners bring theirs. */
export function withChutes(providers: readonly Provider[], chutesUrl: string): Provider[] {
  if (providers.some((one) => one.kind === 'chutes')) return [...providers]
  return [...providers, { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: chutesUrl, models: [], api_key: null }]
}

/** What an agent with these providers may be given: see `needsOf` for the other side. */
export function capabilitiesOf(providers: readonly Provider[]): string[] {
  return providers.flatMap(({ id, kind, api_key }) => [
    ...(kind === 'chutes' && api_key === null ? [] : [`provider:${id}`]),
    ...(kind === 'chutes' ? [`own-key:${id}`] : []),
  ])
}
