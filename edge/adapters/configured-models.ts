import type { Model } from '#shared/contract/model.ts'
import type { ConfiguredProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { Deps } from '../deps.ts'
import { stableId } from './stable-id.ts'

/**
 * Models of a provider as its operator configured them. The edge never calls a base URL that somebody typed in (design 8): whoever starts the
 * service asks `{base}/models` and passes on what is told there.
 */
export function configuredModels(provider: ConfiguredProvider, now: Date): Promise<Model[]> {
  const { everyModel, tagline } = defOf(provider)
  return Promise.all(
    provider.models.map(async (listed) => {
      const { id: name, ...known } = { ...listed, ...everyModel }
      return {
        id: await stableId(provider.id, name),
        slug: name,
        name,
        provider: provider.id,
        tagline,
        user: null,
        logo: null,
        chute_id: null,
        instance_count: 1,
        is_active: true,
        ...known,
        synced_at: now.toISOString(),
      }
    }),
  )
}

/** Writes the configured models into the record, so that they are found, listed and frozen into runs like all others. */
export async function syncConfiguredModels(deps: Pick<Deps, 'config' | 'store' | 'now'>): Promise<number> {
  let synced = 0
  for (const provider of deps.config.providers) {
    if (defOf(provider).catalogue === 'service') continue
    synced += (await deps.store.upsertModels(provider.id, await configuredModels(provider, deps.now()))).synced
  }
  return synced
}
