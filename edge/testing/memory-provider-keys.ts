import type { ProviderKeyStore, StoredProviderKey } from '#db/provider-key-store.ts'

export const emptyProviderKeys = () => ({ providerKeys: new Map<string, StoredProviderKey>() })

/** Keys that owners have at providers, in memory. */
export function memoryProviderKeys({ providerKeys }: ReturnType<typeof emptyProviderKeys>): ProviderKeyStore {
  const of = (owner_id: string) => [...providerKeys.values()].filter((key) => key.owner_id === owner_id)
  const find = (owner_id: string, provider: string) => of(owner_id).find((key) => key.provider === provider)
  return {
    listProviderKeys: async (owner_id) => of(owner_id).sort((a, b) => a.provider.localeCompare(b.provider)),
    async saveProviderKey(key, most) {
      const before = find(key.owner_id, key.provider)
      if (of(key.owner_id).length - (before ? 1 : 0) >= most) return false
      const id = before?.id ?? key.id
      providerKeys.set(id, { ...key, id, used_at: null })
      return true
    },
    async noteProviderKey(id, sealed, news) {
      const key = providerKeys.get(id)
      if (key?.sealed === sealed) providerKeys.set(id, { ...key, ...news })
    },
    async useProviderKey(id, owner_id, used_at) {
      const key = providerKeys.get(id)
      if (key?.owner_id !== owner_id) return undefined
      providerKeys.set(id, { ...key, used_at })
      return { ...key, used_at }
    },
    async deleteProviderKey(owner_id, provider) {
      const key = find(owner_id, provider)
      return key !== undefined && providerKeys.delete(key.id)
    },
  }
}
