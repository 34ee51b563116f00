import type { Owner, Store } from '#db/store.ts'

type StoredKey = Parameters<Store['createKey']>[0]

export const emptyKeys = () => ({ keys: new Map<string, StoredKey>(), owners: new Map<string, string>() })

/** Keys of owners, kept in memory. */
export function memoryKeys(record: {
  keys: Map<string, StoredKey>
  owners: Map<string, string>
}): Pick<
  Store,
  | 'createKey'
  | 'findKey'
  | 'listKeys'
  | 'revokeKey'
  | 'touchKey'
  | 'ensureOwner'
  | 'hasOwner'
  | 'findOwners'
  | 'saveSigningKey'
  | 'listSigningKeys'
> {
  const ownerNames = new Map<string, string>()
  return {
    createKey: async (key) => void record.keys.set(key.id, key),
    findKey: async (sha256) => [...record.keys.values()].find((key) => key.sha256 === sha256),
    listKeys: async (owners) =>
      [...record.keys.values()]
        .filter((key) => owners === null || owners.includes(key.owner_id))
        .map((key) => ({ ...key, owner: ownerNames.get(key.owner_id) ?? key.owner_id })),
    touchKey: async (id, used_at) => void record.keys.set(id, { ...record.keys.get(id)!, used_at }),
    async ensureOwner({ id, name, kind }) {
      record.owners.set(id, kind)
      ownerNames.set(id, name)
    },
    saveSigningKey: async () => undefined,
    listSigningKeys: async () => [],
    hasOwner: async (id) => record.owners.has(id),
    async findOwners(asked) {
      const all = [...record.owners].map(([id, kind]) => ({ id, name: ownerNames.get(id) ?? id, kind: kind as Owner['kind'] }))
      const known = all.find(({ id }) => id === asked)
      return known ? [known] : all.filter(({ name }) => name.toLowerCase() === asked.toLowerCase()).slice(0, 2)
    },
    async revokeKey(id, owners) {
      const key = record.keys.get(id)
      if (!key || (owners !== null && !owners.includes(key.owner_id))) return false
      record.keys.set(id, { ...key, revoked_at: key.revoked_at ?? '2026-01-02T03:04:05.000Z' })
      return true
    },
  }
}
