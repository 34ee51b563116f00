import type { RunSpec } from '#shared/contract/run.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import { NotHeld, unloadModels } from './model/held-models.ts'
import { askedModels } from './ready-models.ts'

/** Notes that a run uses its models; the function that it gives ends that use. */
export type UseModels = (spec: Pick<RunSpec, 'model' | 'benchmarks' | 'replay'>, providers: readonly KeyedProvider[]) => () => Promise<void>

/**
 * Counts which runs of this process use which models, and unloads a model after its last run where its provider says `unload_after_run`.
 * A model that cannot be unloaded is logged: the run has ended and does not fail for it.
 */
export function createUnloader({ log }: Pick<Telemetry, 'log'>): UseModels {
  const uses = new Map<string, number>()
  return (spec, providers) => {
    const used = askedModels(spec).flatMap(([, { provider: id, slug }]) => {
      const provider = providers.find((one) => one.id === id)
      return provider?.unload_after_run ? [{ provider, slug, key: JSON.stringify([id, slug]) }] : []
    })
    for (const { key } of used) uses.set(key, (uses.get(key) ?? 0) + 1)
    return async () => {
      for (const { provider, slug, key } of used.splice(0)) {
        const left = uses.get(key)! - 1
        uses.set(key, left)
        if (left > 0) continue
        uses.delete(key)
        const signal = new AbortController().signal
        await unloadModels({ provider, fetcher: fetch, signal }, slug).catch((error: unknown) => {
          if (!(error instanceof NotHeld)) throw error
          log('warn', 'a model stays in memory', { provider: provider.id, model: slug, error: error.message })
        })
      }
    }
  }
}
