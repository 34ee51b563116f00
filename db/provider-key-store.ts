import type { KeyVerdict } from '#shared/contract/provider-keys.ts'
import type { OwnProvider } from '#shared/contract/run.ts'
import type { ListedModel } from '#shared/providers/listed-model.ts'

/** A key of an owner at a provider. `models` is null where the provider's list could not be read. */
export type StoredProviderKey = {
  id: string
  owner_id: string
  provider: string
  label: string
  kind: OwnProvider['kind']
  base_url: string
  sealed: string
  last4: string
  verdict: KeyVerdict
  models: ListedModel[] | null
  asked_at: string
  created_at: string
  used_at: string | null
}

/** Database methods for the keys that owners of runs have at providers. */
export type ProviderKeyStore = {
  /** Lists the keys of one owner by provider. */
  listProviderKeys(owner_id: string): Promise<StoredProviderKey[]>
  /**
   * Saves a key in place of the owner's former key at that provider, which keeps its id. Returns false, and
   * saves nothing, if the owner has `most` keys at other providers.
   */
  saveProviderKey(key: Omit<StoredProviderKey, 'used_at'>, most: number): Promise<boolean>
  /** Keeps what a provider said of a key since, unless the key was replaced or deleted meanwhile. */
  noteProviderKey(id: string, sealed: string, news: Pick<StoredProviderKey, 'verdict' | 'models' | 'asked_at'>): Promise<void>
  /** Finds a key of this owner for a run that uses it now. */
  useProviderKey(id: string, owner_id: string, used_at: string): Promise<StoredProviderKey | undefined>
  /** Deletes a key. Returns false if the owner has no key at this provider. */
  deleteProviderKey(owner_id: string, provider: string): Promise<boolean>
}
