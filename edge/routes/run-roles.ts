import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Model } from '#shared/contract/model.ts'
import { roleModelsOf } from '#shared/run/build-spec.ts'
import type { RoleLookup, RoleModelName } from '#shared/run/choose-role.ts'
import type { Deps } from '../deps.ts'
import { findRead } from './run-model.ts'

/** The helpers a request needs, looked up before the run is planned: those that are known, served and of a provider configured here. */
export async function findRoleModels(body: CreateRun, model: Pick<Model, 'id' | 'provider'>, deps: Deps): Promise<RoleLookup> {
  const names = roleModelsOf(body, model, deps)
  const found = await Promise.all(names.map(async (name) => [keyOf(name), await findOne(name, deps)] as const))
  const models = new Map(found)
  return (name) => models.get(keyOf(name))
}

const keyOf = ({ model_id, provider }: RoleModelName): string => JSON.stringify([model_id, provider])

async function findOne(name: RoleModelName, deps: Deps): Promise<Model | undefined> {
  const found = await findRead(name, deps)
  return found?.is_active && deps.config.providers.some((one) => one.id === found.provider) ? found : undefined
}
