import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Model } from '#shared/contract/model.ts'
import { roleModelsOf } from '#shared/run/build-spec.ts'
import type { RoleLookup, RoleModelName } from '#shared/run/choose-role.ts'
import type { Deps } from '../deps.ts'
import { keyFor, type OwnKeys } from '../provider-keys/own-keys.ts'
import { findRead, providerIn } from './run-model.ts'

/** The helpers a request needs, looked up before the run is planned: those that are known, served and of a provider that may be asked. */
export async function findRoleModels(
  body: CreateRun,
  model: Pick<Model, 'id' | 'provider'>,
  deps: Deps,
  own: OwnKeys = [],
): Promise<RoleLookup> {
  const names = roleModelsOf(body, model, deps)
  const found = await Promise.all(names.map(async (name) => [keyOf(name), await findOne(name, model.provider, deps, own)] as const))
  const models = new Map(found)
  return (name) => models.get(keyOf(name))
}

const keyOf = ({ model_id, provider }: RoleModelName): string => JSON.stringify([model_id, provider])

/** A helper that any provider may serve is looked for where the owner's key pays, as it pays nowhere else. */
async function findOne(name: RoleModelName, tested: string, deps: Deps, own: OwnKeys): Promise<Model | undefined> {
  const paid = name.provider === null && keyFor(tested, own) ? await findRead({ ...name, provider: tested }, deps, own) : undefined
  const found = paid ?? (await findRead(name, deps, own))
  return found?.is_active && providerIn(deps.config, own)(found.provider) ? found : undefined
}
