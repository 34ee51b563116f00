import { noUsage } from '#shared/contract/usage.ts'
import type { TrialModel } from './execute.ts'
import { type AdaptiveLimiter, createAdaptiveLimiter } from './model/adaptive-limiter.ts'
import { createGenerate } from './model/generate.ts'
import { createModelClient, defaultTimeouts, type ModelClient } from './model/model-client.ts'
import type { RateGate } from './model/rate-gate.ts'
import type { Provider } from './provider.ts'

type Owner = 'agent' | 'run-owner'
type LimiterFor = (provider: Pick<Provider, 'id' | 'base_url'>, apiKey: string | null, whose: Owner) => AdaptiveLimiter
type Named = { slug: string; provider: string }

/**
 * One limiter for each address and key: what a provider allows, it allows a key, whichever runs and models ask. A key of the agents' own
 * passes the gate of its provider's rate limit too, which the whole fleet shares.
 */
export function createLimiters(slots: number, gateOf: (provider: string) => RateGate): LimiterFor {
  const limiters = new Map<string, AdaptiveLimiter>()
  return ({ id, base_url }, apiKey, whose) => {
    const key = `${base_url} ${apiKey ?? ''}`
    const limiter = limiters.get(key) ?? createAdaptiveLimiter({ max: slots, ...(whose === 'agent' && { rate: gateOf(id) }) })
    limiters.set(key, limiter)
    return limiter
  }
}

/**
 * Clients of one run, one for each provider and model, so that a judge which several benchmarks share is opened once. The owner's key
 * goes to the provider it belongs to and to no other; it is asked for with the first question, as it comes with the first leases. No reply
 * carries on what is in `secrets` or any key of a provider. `open` expects a provider that is there.
 */
export function openModels(
  providers: readonly Provider[],
  own: { provider: string; api_key(): string | null } | null,
  limiterFor: LimiterFor,
  slots: number,
  secrets: readonly (string | null)[] = [],
) {
  const opened = new Map<string, TrialModel>()
  const clients: ModelClient[] = []
  const connect = (provider: Provider, slug: string): { client: ModelClient; limiter: AdaptiveLimiter } => {
    const key = own?.api_key() ?? null
    const owned = own?.provider === provider.id
    // Leases bring the key; a question without it would be paid by somebody else or refused.
    if (owned && key === null) throw new Error(`the owner's key for ${provider.id} has not come`)
    const apiKey = owned ? key : provider.api_key
    const held = [...secrets, key, ...providers.map((each) => each.api_key)].filter((secret) => secret !== null)
    const options = { model: slug, connections: slots, timeouts: defaultTimeouts, secrets: held }
    const client = createModelClient({ baseUrl: provider.base_url, apiKey, ...options })
    clients.push(client)
    return { client, limiter: limiterFor(provider, apiKey, owned ? 'run-owner' : 'agent') }
  }
  return {
    open({ slug, provider: id }: Named): TrialModel {
      const name = JSON.stringify([id, slug])
      const known = opened.get(name)
      if (known) return known
      const provider = providers.find((each) => each.id === id)
      if (!provider) throw new RangeError(`there is no provider ${id} here`)
      const model = trialModel(() => connect(provider, slug))
      opened.set(name, model)
      return model
    },
    async close(): Promise<void> {
      for (const client of clients) await client.close()
    },
  }
}

function trialModel(connect: () => { client: ModelClient; limiter: AdaptiveLimiter }): TrialModel {
  let resetAt: string | null = null
  let connected: ReturnType<typeof connect> | undefined
  return {
    resetAt: () => resetAt,
    generate(request, signal, onCall) {
      connected ??= connect()
      return createGenerate({
        ...connected,
        signal,
        onCall(call) {
          resetAt = call.reset_at ?? resetAt
          onCall(call.usage ?? noUsage)
        },
      })(request)
    },
  }
}
