import type { ModelParams } from '../../contract/message.ts'
import { roleEntries, rolesOf } from '../../contract/role.ts'
import type { PlannedBenchmark, RunSpec } from '../../contract/run.ts'

/** Parameters that agents from before them would leave out of their requests without a word, in the order in which they came. */
const laterParams = ['reasoning_budget_tokens', 'routing', 'tool_calling'] as const satisfies (keyof ModelParams)[]

const sendingOf = (name: string): string => `sends:${name}`
/** What an agent of this version says of the parameters that it sends. */
export const sendsLaterParams: readonly string[] = laterParams.map(sendingOf)

/** What an agent says that can grade hand-overs of earlier runs; older ones would ask for answers that are not there. */
export const gradesAgain = 'grades-again'

/** What an agent says that asks providers of which it knows nothing but what the run says. */
export const asksOwnProviders = 'own-provider'

/**
 * What an agent must have to work on this run: a way to its provider, with a key of its own or with the one the owner brings, and to
 * its helpers' providers. The owner's key opens the provider it belongs to, for a helper too. And it must know every parameter that is asked.
 */
export function needsOf(
  spec: Pick<RunSpec, 'model' | 'own_credential' | 'own_provider' | 'regrade'> & {
    benchmarks?: (Pick<PlannedBenchmark, 'roles'> & Partial<Pick<PlannedBenchmark, 'params'>>)[]
  },
): string[] {
  const own = spec.own_credential ? spec.model.provider : null
  const helpers = (spec.benchmarks ?? []).flatMap((one) => roleEntries(rolesOf(one)).map(([, { model }]) => model.provider))
  const wayTo = (provider: string): string => {
    if (provider !== own) return `provider:${provider}`
    return spec.own_provider ? asksOwnProviders : `own-key:${provider}`
  }
  const ways = [spec.model.provider, ...helpers].map(wayTo)
  const asked = (spec.benchmarks ?? []).map(({ params }) => params)
  const sends = laterParams.filter((name) => asked.some((params) => params?.[name] !== undefined)).map(sendingOf)
  return ['llm', ...new Set(ways), ...sends, ...(spec.regrade ? [gradesAgain] : [])]
}
