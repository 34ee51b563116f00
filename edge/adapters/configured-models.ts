import type { Model } from '#shared/contract/model.ts'
import type { ConfiguredProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { Deps } from '../deps.ts'
import { CatalogueAway } from './chutes-catalogue.ts'
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

export type ModelSyncDeps = Pick<Deps, 'config' | 'store' | 'now' | 'listProviders'>

/** Longest wait, in milliseconds, of a requested sync for the lists of the providers. */
const patient_ms = 25_000

/**
 * Writes the models that providers list now into the record, so that they are found, listed and frozen into runs like all others. Providers are
 * those of the configuration, with the models that the host reads where there is one.
 */
export async function syncConfiguredModels(deps: ModelSyncDeps, wait_ms = patient_ms): Promise<{ synced: number; deactivated: number }> {
  return writeConfigured(await listedNow(deps, wait_ms), deps)
}

/** Returns the configured providers with the models that they list now. @throws CatalogueAway if the host cannot ask the providers. */
export async function listedNow({ config, listProviders }: ModelSyncDeps, wait_ms: number): Promise<ConfiguredProvider[]> {
  if (listProviders === null) return config.providers
  const listed = await listProviders(wait_ms).catch((cause: unknown) => {
    throw new CatalogueAway(`the configured providers cannot be asked (${cause instanceof Error ? cause.message : String(cause)})`)
  })
  return config.providers.map((provider) => ({
    ...provider,
    models: listed.find(({ id }) => id === provider.id)?.models ?? provider.models,
  }))
}

/** Writes the models of these providers into the record; those that are not among them any more become inactive. */
export async function writeConfigured(
  providers: readonly ConfiguredProvider[],
  { store, now }: Pick<Deps, 'store' | 'now'>,
): Promise<{ synced: number; deactivated: number }> {
  const sum = { synced: 0, deactivated: 0 }
  for (const provider of providers) {
    if (defOf(provider).catalogue === 'service') continue
    const { synced, deactivated } = await store.upsertModels(provider.id, await configuredModels(provider, now()))
    sum.synced += synced
    sum.deactivated += deactivated
  }
  return sum
}
