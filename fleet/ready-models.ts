import type { Failure } from '#shared/contract/failure.ts'
import { type Role, roleEntries, rolesOf } from '#shared/contract/role.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { loadModel, NotHeld } from './model/held-models.ts'

/**
 * Has the models of a run in memory, where their providers hold models there: before its first trial, and again whenever it is looked at, as
 * another may have been loaded meanwhile. Gives the failure that says who must act; what cannot be reached is left to the questions, which
 * have the patience for it. Rejects with the reason of the signal.
 */
export async function readyModels(spec: AskingSpec, providers: readonly KeyedProvider[], signal: AbortSignal): Promise<Failure | null> {
  for (const [role, { provider: id, slug }] of askedModels(spec)) {
    const provider = providers.find((each) => each.id === id)
    if (!provider) continue
    try {
      await loadModel({ provider, fetcher: fetch, signal }, slug, performance.now.bind(performance))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof NotHeld)) throw error
      const at = role === 'model' ? 'provider' : role
      return { at, reason: 'not-found', retryable: false, status: null, detail: `${error.message} Then resume the run.`.slice(0, 2000) }
    }
  }
  return null
}

type AskingSpec = Pick<RunSpec, 'model' | 'benchmarks' | 'replay'>

/** Each model that a run asks, once, under the first role that it has. */
export function askedModels(spec: AskingSpec): readonly (readonly [Role, RunSpec['model']])[] {
  const helpers = spec.benchmarks.flatMap((planned) => roleEntries(rolesOf(planned)))
  const tested: [Role, RunSpec['model']][] = spec.replay ? [] : [['model', spec.model]]
  const asked = [...tested, ...helpers.map(([role, { model }]) => [role, model] as const)]
  const once = new Map<string, readonly [Role, RunSpec['model']]>()
  for (const entry of asked) {
    const key = JSON.stringify([entry[1].provider, entry[1].slug])
    if (!once.has(key)) once.set(key, entry)
  }
  return [...once.values()]
}
