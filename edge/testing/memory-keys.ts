import type { Store } from '#db/store.ts'

type StoredKey = Parameters<Store['createKey']>[0]

/** Keys of owners, kept in memory. */
export function memoryKeys(record: {
  keys: Map<string, StoredKey>
  ownerNames: ReadonlyMap<string, string>
}): Pick<Store, 'createKey' | 'findKey' | 'listKeys' | 'revokeKey'> {
  return {
    createKey: async (key) => void record.keys.set(key.id, key),
    findKey: async (sha256) => [...record.keys.values()].find((key) => key.sha256 === sha256),
    listKeys: async () => [...record.keys.values()].map((key) => ({ ...key, owner: record.ownerNames.get(key.owner_id) ?? key.owner_id })),
    async revokeKey(id) {
      const key = record.keys.get(id)
      if (!key) return false
      record.keys.set(id, { ...key, revoked_at: key.revoked_at ?? '2026-01-02T03:04:05.000Z' })
      return true
    },
  }
}
