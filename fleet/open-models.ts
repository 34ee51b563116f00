import { noUsage } from '#shared/contract/usage.ts'
import type { TrialModel } from './execute.ts'
import { type AdaptiveLimiter, createAdaptiveLimiter } from './model/adaptive-limiter.ts'
import { createGenerate } from './model/generate.ts'
import { createModelClient, defaultTimeouts, type ModelClient } from './model/model-client.ts'
import type { Provider } from './provider.ts'

type LimiterFor = (baseUrl: string, apiKey: string | null) => AdaptiveLimiter
type Named = { slug: string; provider: string }

/** One limiter for each address and key: what a provider allows, it allows a key, whichever runs and models ask. */
export function createLimiters(slots: number): LimiterFor {
  const limiters = new Map<string, AdaptiveLimiter>()
  return (baseUrl, apiKey) => {
    const key = `${baseUrl} ${apiKey ?? ''}`
    const limiter = limiters.get(key) ?? createAdaptiveLimiter({ max: slots })
    limiters.set(key, limiter)
    return limiter
  }
}

/**
 * Clients of one run, one for each provider and model, so that a judge which several benchmarks share is opened once. The owner's key
 * goes to the provider it belongs to and to no other. `open` expects a provider that is there.
 */
export function openModels(
  providers: readonly Provider[],
  own: { provider: string; api_key: string } | null,
  limiterFor: LimiterFor,
  slots: number,
) {
  const opened = new Map<string, { model: TrialModel; client: ModelClient }>()
  return {
    open({ slug, provider: id }: Named): TrialModel {
      const key = JSON.stringify([id, slug])
      const known = opened.get(key)
      if (known) return known.model
      const provider = providers.find((each) => each.id === id)
      if (!provider) throw new RangeError(`there is no provider ${id} here`)
      const apiKey = own?.provider === id ? own.api_key : provider.api_key
      const client = createModelClient({ baseUrl: provider.base_url, apiKey, model: slug, connections: slots, timeouts: defaultTimeouts })
      const model = trialModel(client, limiterFor(provider.base_url, apiKey))
      opened.set(key, { model, client })
      return model
    },
    async close(): Promise<void> {
      for (const { client } of opened.values()) await client.close()
    },
  }
}

function trialModel(client: ModelClient, limiter: AdaptiveLimiter): TrialModel {
  let resetAt: string | null = null
  return {
    resetAt: () => resetAt,
    generate: (request, signal, onCall) =>
      createGenerate({
        client,
        limiter,
        signal,
        onCall(call) {
          resetAt = call.reset_at ?? resetAt
          onCall(call.usage ?? noUsage)
        },
      })(request),
  }
}
