import type { Model } from '#shared/contract/model.ts'
import type { Deps, EdgeConfig } from '../deps.ts'
import { stableId } from './stable-id.ts'

type Provider = EdgeConfig['providers'][number]

/**
 * Models of an OpenAI-compatible or demo provider: the names its operator configured. The edge never calls a base URL that somebody
 * typed in (design 8); whoever starts the service asks `{base}/models` and passes the names on.
 */
export function configuredModels(provider: Provider, now: Date): Promise<Model[]> {
  return Promise.all(
    provider.models.map(async (name) => ({
      id: await stableId(provider.id, name),
      slug: name,
      name,
      provider: provider.id,
      tagline: provider.kind === 'demo' ? 'Answers offline, at random: shows how runs work, says nothing about any model' : null,
      user: null,
      logo: null,
      chute_id: null,
      instance_count: 1,
      is_active: true,
      price: provider.kind === 'demo' ? { input_per_million_usd: 0, output_per_million_usd: 0, cached_input_per_million_usd: null } : null,
      context_length: null,
      max_output_length: null,
      // Empty: not known. The protocol's list of models does not say what they take.
      input_modalities: provider.kind === 'demo' ? ['text', 'image'] : [],
      features: [],
      synced_at: now.toISOString(),
    })),
  )
}

/** Writes the configured models into the record, so that they are found, listed and frozen into runs like all others. */
export async function syncConfiguredModels(deps: Pick<Deps, 'config' | 'store' | 'now'>): Promise<number> {
  let synced = 0
  for (const provider of deps.config.providers) {
    if (provider.kind === 'chutes') continue
    synced += (await deps.store.upsertModels(provider.id, await configuredModels(provider, deps.now()))).synced
  }
  return synced
}
