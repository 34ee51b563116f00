import type { PlannedBenchmark, RunSpec } from '../../contract/run.ts'

/**
 * What an agent must have to work on this run: a way to its provider, with a key of its own or with the one the owner brings, and to
 * its judges' providers. The owner's key opens the provider it belongs to, for the judge too.
 */
export function needsOf(spec: Pick<RunSpec, 'model' | 'own_credential'> & { benchmarks?: Pick<PlannedBenchmark, 'judge'>[] }): string[] {
  const own = spec.own_credential ? spec.model.provider : null
  const judges = (spec.benchmarks ?? []).flatMap(({ judge }) => judge?.model.provider ?? [])
  const ways = [spec.model.provider, ...judges].map((provider) => `${provider === own ? 'own-key' : 'provider'}:${provider}`)
  return ['llm', ...new Set(ways)]
}
