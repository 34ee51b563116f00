import { listedProvidersOf, readProvider } from '#fleet/configured-providers.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'

type Env = Record<string, string | undefined>

/**
 * Keeps the models that providers list, beginning with those found at the start. `read(waitMs)` asks every provider again and gives the lists after
 * `waitMs` at most; a list that arrives later is in the next answer. A provider that cannot be read keeps its last list. Requests at the same time
 * share one question.
 */
export function keepProviderLists(first: readonly KeyedProvider[], env: Env, fetcher: typeof fetch = fetch) {
  const known = new Map(first.map((provider) => [provider.id, provider]))
  const ignore = (): void => undefined // told at the start
  const written = listedProvidersOf(env, ignore).filter(({ id }) => known.has(id))
  let asking: Promise<unknown> | undefined
  const askAll = (): Promise<unknown> =>
    Promise.all(
      written.map(async (one) => {
        const { provider, isRead } = await readProvider(one, env, fetcher, ignore)
        if (isRead) known.set(provider.id, provider)
      }),
    )
  return {
    async read(waitMs: number): Promise<KeyedProvider[]> {
      asking ??= askAll().finally(() => {
        asking = undefined
      })
      const waited = Promise.withResolvers<void>()
      const timer = setTimeout(waited.resolve, waitMs)
      await Promise.race([asking, waited.promise])
      clearTimeout(timer)
      return [...known.values()]
    },
  }
}
