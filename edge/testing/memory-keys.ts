import type { Store } from '#db/store.ts'

type StoredKey = Parameters<Store['createKey']>[0]

/** Keys of owners, kept in memory. */
export function memoryKeys(record: {
  keys: Map<string, StoredKey>
  owners: Map<string, string>
}): Pick<Store, 'createKey' | 'findKey' | 'listKeys' | 'revokeKey' | 'ensureOwner' | 'hasOwner' | 'saveSigningKey' | 'listSigningKeys'> {
  const ownerNames = new Map<string, string>()
  return {
    createKey: async (key) => void record.keys.set(key.id, key),
    findKey: async (sha256) => [...record.keys.values()].find((key) => key.sha256 === sha256),
    listKeys: async () => [...record.keys.values()].map((key) => ({ ...key, owner: ownerNames.get(key.owner_id) ?? key.owner_id })),
    async ensureOwner({ id, name, kind }) {
      record.owners.set(id, kind)
      ownerNames.set(id, name)
    },
    saveSigningKey: async () => undefined,
    listSigningKeys: async () => [],
    hasOwner: async (id) => record.owners.has(id),
    async revokeKey(id) {
      const key = record.keys.get(id)
      if (!key) return false
      record.keys.set(id, { ...key, revoked_at: key.revoked_at ?? '2026-01-02T03:04:05.000Z' })
      return true
    },
  }
}
