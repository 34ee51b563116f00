import { defOf } from '#shared/providers/providers.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { fetchChutesModels } from './chutes-catalogue.ts'
import { syncConfiguredModels } from './configured-models.ts'

/**
 * Brings the list of models up to date: Chutes' catalogue and the configured names of every other provider. Models that vanished become
 * inactive. Throws `CatalogueAway` when Chutes is configured and cannot be read.
 */
export async function syncModels(deps: Pick<Deps, 'config' | 'store' | 'fetch' | 'now'>): Promise<{ synced: number; deactivated: number }> {
  const configured = await syncConfiguredModels(deps)
  const chutes = deps.config.providers.find((provider) => defOf(provider).catalogue === 'service')
  if (!chutes) return { synced: configured, deactivated: 0 }
  const models = await fetchChutesModels(deps)
  const { synced, deactivated } = await deps.store.upsertModels(
    chutes.id,
    models.map((model) => ({ ...model, provider: chutes.id })),
  )
  return { synced: configured + synced, deactivated }
}

type Memory = { note(name: string): Promise<string | null>; keep(name: string, text: string): Promise<void> }

/**
 * The same, but for a catalogue that is as it was at the last writing: then the database is left alone. How many instances serve a model
 * changes all the time and is no news.
 */
export async function syncNews(deps: Pick<Deps, 'config' | 'store' | 'fetch' | 'now'>, memory: Memory): Promise<'written' | 'unchanged'> {
  const chutes = deps.config.providers.find((provider) => defOf(provider).catalogue === 'service')
  const models = chutes ? await fetchChutesModels(deps) : []
  const lasting = models.map(({ synced_at: _s, instance_count: _i, ...model }) => model).sort((a, b) => (a.id < b.id ? -1 : 1))
  const text = await sha256Hex(JSON.stringify([deps.config.providers, lasting]))
  if ((await memory.note('models')) === text) return 'unchanged'
  await syncConfiguredModels(deps)
  if (chutes) {
    await deps.store.upsertModels(
      chutes.id,
      models.map((model) => ({ ...model, provider: chutes.id })),
    )
  }
  await memory.keep('models', text)
  return 'written'
}

/**
 * A function that writes the configured models once in the life of an app, and again only if that failed. It keeps a flag, not the
 * promise: a Worker may not wait for another request's I/O.
 */
export function onceConfigured(deps: Pick<Deps, 'config' | 'store' | 'now'>): () => Promise<void> {
  let done = false
  return async () => {
    if (done) return
    await syncConfiguredModels(deps)
    done = true
  }
}
