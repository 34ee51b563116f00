import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Model } from '#shared/contract/model.ts'
import { judgesOf } from '#shared/run/build-spec.ts'
import type { JudgeLookup, JudgeName } from '#shared/run/choose-judge.ts'
import type { Deps } from '../deps.ts'

/** The judges a request needs, looked up before the run is planned: those that are known, served and of a provider configured here. */
export async function findJudges(body: CreateRun, model: Model, deps: Deps): Promise<JudgeLookup> {
  const names = judgesOf(body, model, deps)
  const found = await Promise.all(names.map(async (name) => [keyOf(name), await findJudge(name, deps)] as const))
  const judges = new Map(found)
  return (name) => judges.get(keyOf(name))
}

const keyOf = ({ model_id, provider }: JudgeName): string => JSON.stringify([model_id, provider])

async function findJudge({ model_id, provider }: JudgeName, deps: Deps): Promise<Model | undefined> {
  const judge = await deps.store.findModel(model_id, provider)
  return judge?.is_active && deps.config.providers.some((one) => one.id === judge.provider) ? judge : undefined
}
