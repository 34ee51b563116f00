import { defOf } from '#shared/providers/providers.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { fetchChutesModels } from './chutes-catalogue.ts'
import { listedNow, type ModelSyncDeps, syncConfiguredModels, writeConfigured } from './configured-models.ts'

/**
 * Brings the list of models up to date: Chutes' catalogue and the configured names of every other provider. Models that vanished become
 * inactive. Throws `CatalogueAway` when Chutes is configured and cannot be read.
 */
export async function syncModels(deps: ModelSyncDeps & Pick<Deps, 'fetch'>): Promise<{ synced: number; deactivated: number }> {
  const configured = await syncConfiguredModels(deps)
  const chutes = deps.config.providers.find((provider) => defOf(provider).catalogue === 'service')
  if (!chutes) return configured
  const models = await fetchChutesModels(deps)
  const { synced, deactivated } = await deps.store.upsertModels(
    chutes.id,
    models.map((model) => ({ ...model, provider: chutes.id })),
  )
  return { synced: configured.synced + synced, deactivated: configured.deactivated + deactivated }
}

type Memory = { note(name: string): Promise<string | null>; keep(name: string, text: string): Promise<void> }

/**
 * The same, but for a catalogue that is as it was at the last writing: then the database is left alone. How many instances serve a model
 * changes all the time and is no news.
 */
export async function syncNews(deps: ModelSyncDeps & Pick<Deps, 'fetch'>, memory: Memory): Promise<'written' | 'unchanged'> {
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

/** A reader of models waits so long for providers; a list that takes longer is in the next answer. */
const brief_ms = 1_000
/** Where servers can be asked, their lists are this old at most when models are read. */
const rest_ms = 30_000

/**
 * A function that writes the configured models once in the life of an app, and again only if that failed. Where a host asks the providers, they are
 * asked again at most every 30 s, and what they list is written when it changed; where that fails, the list of before stays. It keeps times, not promises: a Worker may not wait for another
 * request's I/O.
 */
export function onceConfigured(deps: ModelSyncDeps): () => Promise<void> {
  let written: string | null = null
  let due_ms = 0
  return async () => {
    if (written !== null && (deps.listProviders === null || deps.now().getTime() < due_ms)) return
    const [before_ms, before] = [due_ms, written]
    due_ms = deps.now().getTime() + rest_ms
    try {
      const providers = await listedNow(deps, brief_ms)
      const text = JSON.stringify(providers)
      if (text !== before) await writeConfigured(providers, deps)
      written = text
    } catch (error) {
      due_ms = before_ms
      if (before === null) throw error // else the record has the list of before
    }
  }
}
