export type Owner = { id: string; name: string; kind: 'local' | 'key' | 'chutes' }
export type StoredKey = {
  id: string
  owner_id: string
  name: string
  /** Of a key of a team, the member who made it and whose account pays; null of other keys. */
  made_by: string | null
  scopes: string[]
  expires_at: string | null
  revoked_at: string | null
  /** Time of the last use, accurate to five minutes; null for an unused key. */
  used_at: string | null
}
/** `owner`: the name of its owner. */
export type ListedKey = StoredKey & { owner: string }
export type SigningKeyRow = { fingerprint: string; public_key: string; valid_from: string; retired_at: string | null }

/** Database methods for keys and their owners. */
export type KeyStore = {
  createKey(key: StoredKey & { sha256: string }): Promise<void>
  findKey(sha256: string): Promise<StoredKey | undefined>
  /** Lists the keys of these owners; null lists the keys of all owners. */
  listKeys(owners: readonly string[] | null): Promise<ListedKey[]>
  /** Revokes a key. Returns false if the key does not exist or has another owner. */
  revokeKey(id: string, owners: readonly string[] | null): Promise<boolean>
  touchKey(id: string, used_at: string): Promise<void>
  ensureOwner(owner: Owner): Promise<void>
  /** Finds owners by id, or by name in any case; at most two, because more than one is no answer. */
  findOwners(id_or_name: string): Promise<Owner[]>
  /** Whether an owner is known, as the one of a Chutes key that has started a run. */
  hasOwner(id: string): Promise<boolean>
  saveSigningKey(key: SigningKeyRow): Promise<void>
  listSigningKeys(): Promise<SigningKeyRow[]>
}
