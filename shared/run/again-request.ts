import { CreateRun } from '../contract/create-run.ts'
import type { ItemChoice } from '../contract/item-choice.ts'
import { mapRoles, rolesOf } from '../contract/role.ts'
import type { PlannedBenchmark, RunSpec } from '../contract/run.ts'
import type { Price } from '../contract/usage.ts'
import { RunRefused } from './run-refused.ts'

/** What is asked again of a run: which items of one of its benchmarks, and how often each. */
export type Again = { benchmark: string; items: ItemChoice[string]; epochs: number; name: string | null }

/**
 * The request that asks items of a run once more, as they were asked then: same model, data, profile, parameters, helpers and limits. The benchmark's version is
 * that of now. `price`: what the model costs, where its provider does not say. Throws `RunRefused` for a run whose items cannot be asked again this way.
 */
export function againRequest(spec: RunSpec, again: Again, price: Price | null): CreateRun {
  const planned = spec.benchmarks.find(({ name }) => name === again.benchmark)
  if (!planned) throw refused('/benchmark', `The run does not ask ${JSON.stringify(again.benchmark)}.`)
  if (spec.imported) throw refused('', 'The run was imported: it was not asked here, so nothing of it can be asked again.')
  if (spec.replay) throw refused('', 'The answers of this run were given to it: start a replay with the answers anew.')
  if (planned.data.source === 'upload') throw refused('', 'The run is of an uploaded task: run the task again on its page.')
  return CreateRun.parse({
    ...{ model_id: spec.model.id, provider: spec.model.provider },
    items: { [again.benchmark]: again.items },
    ...{ data: planned.data.source, profile: planned.profile, epochs: again.epochs },
    ...paramsOf(planned),
    limits: planned.limits,
    roles: mapRoles(rolesOf(planned), ({ model }) => ({ model_id: model.id, provider: model.provider })),
    ...(Object.values(rolesOf(planned)).some(({ model }) => model.id === spec.model.id) && { allow_self_judge: true }),
    ...(planned.agent && { agent: planned.agent }),
    ...(price && { price }),
    ...{ concurrency: spec.concurrency, max_failure_share: spec.max_failure_share },
    ...{ budget_usd: spec.budget_usd, name: again.name, tags: [] },
  })
}

function paramsOf({ params }: PlannedBenchmark): Partial<CreateRun> {
  const { temperature, top_p, max_tokens, reasoning_effort, reasoning_budget_tokens, routing, tool_calling } = params
  return { temperature, top_p, max_tokens, reasoning_effort, reasoning_budget_tokens, routing, tool_calling }
}

const refused = (pointer: string, message: string) => new RunRefused('validation', pointer, message)
