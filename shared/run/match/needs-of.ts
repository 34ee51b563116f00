import { roleEntries, rolesOf } from '../../contract/role.ts'
import type { PlannedBenchmark, RunSpec } from '../../contract/run.ts'

/**
 * What an agent must have to work on this run: a way to its provider, with a key of its own or with the one the owner brings, and to
 * its helpers' providers. The owner's key opens the provider it belongs to, for a helper too.
 */
export function needsOf(
  spec: Pick<RunSpec, 'model' | 'own_credential'> & { benchmarks?: Pick<PlannedBenchmark, 'roles' | 'judge'>[] },
): string[] {
  const own = spec.own_credential ? spec.model.provider : null
  const helpers = (spec.benchmarks ?? []).flatMap((one) => roleEntries(rolesOf(one)).map(([, { model }]) => model.provider))
  const ways = [spec.model.provider, ...helpers].map((provider) => `${provider === own ? 'own-key' : 'provider'}:${provider}`)
  return ['llm', ...new Set(ways)]
}
