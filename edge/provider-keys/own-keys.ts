import type { StoredProviderKey } from '#db/store.ts'
import type { Model } from '#shared/contract/model.ts'
import type { PayingKey } from '#shared/contract/provider-keys.ts'
import type { OwnProvider } from '#shared/contract/run.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import type { RoleModelName } from '#shared/run/choose-role.ts'
import { configuredModels } from '../adapters/configured-models.ts'
import { providerKeyContext } from '../auth/seal.ts'
import type { Deps } from '../deps.ts'
import { edgeLog } from '../edge-log.ts'
import { askProvider } from './ask-provider.ts'
import { isAllowed } from './own-provider.ts'

/** The keys of one owner that the service allows now. Their providers add models to the choice of this owner alone. */
export type OwnKeys = readonly StoredProviderKey[]

/** How long a list of models is offered before its provider is asked again, in milliseconds. */
const listMs = 3_600_000

/** Returns the keys of an owner at providers that the service allows now; none for a visitor without an owner. */
export async function ownKeysOf(owner_id: string | null, { store, config }: Pick<Deps, 'store' | 'config'>): Promise<OwnKeys> {
  if (owner_id === null) return []
  return (await store.listProviderKeys(owner_id)).filter(({ base_url }) => isAllowed(base_url, config))
}

/** The key that pays for models of this provider. */
export const keyFor = (provider: string, keys: OwnKeys): StoredProviderKey | undefined => keys.find((key) => key.provider === provider)

/** What people are shown of a key that would pay. */
export const payingKey = ({ provider, label, last4, verdict }: StoredProviderKey): PayingKey => ({ provider, label, last4, verdict })

/** The models that the providers of these keys list. */
export async function ownModels(keys: OwnKeys): Promise<Model[]> {
  const lists = keys.map((key) => configuredModels({ ...asProvider(key), models: key.models ?? [] }, new Date(key.asked_at)))
  return (await Promise.all(lists)).flat()
}

/** A model of these providers by its name; where a provider lists none that reads, any name stands for a model of it. */
export async function findOwnModel({ model_id, provider }: RoleModelName, keys: OwnKeys): Promise<Model | undefined> {
  const asked = keys.filter((key) => provider === null || key.provider === provider)
  const listed = (await ownModels(asked)).find((model) => model.slug === model_id || model.id === model_id)
  const unlisted = provider === null ? undefined : asked.find((key) => key.models === null)
  if (listed || !unlisted) return listed
  const [named] = await configuredModels({ ...asProvider(unlisted), models: [namedModel(model_id)] }, new Date(unlisted.asked_at))
  return named
}

/** The provider of a key, as plans and agents know it. */
export const asProvider = ({ provider: id, label, kind, base_url }: StoredProviderKey): OwnProvider => ({ id, label, kind, base_url })

/** Asks providers again for lists that are an hour old, once the request at hand has been answered. */
export function refreshLists(keys: OwnKeys, deps: Deps): void {
  for (const key of keys)
    if (deps.now().getTime() - Date.parse(key.asked_at) > listMs)
      deps.later(0, () => askAgain(key, deps).catch((error) => edgeLog('warn', 'a list of models was not refreshed', { error })))
}

async function askAgain(key: StoredProviderKey, deps: Deps): Promise<void> {
  const secret = await deps.seal.open(key.sealed, providerKeyContext(key))
  const { verdict, models } = await askProvider(asProvider(key), secret, deps)
  // A provider that is away keeps its list.
  await deps.store.noteProviderKey(key.id, key.sealed, { verdict, models: models ?? key.models, asked_at: deps.now().toISOString() })
}
