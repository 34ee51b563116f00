/** A session of somebody who signed in. `browser` is what its browser called itself; `scopes` are those that were granted. */
export type StoredSession = {
  id: string
  owner_id: string
  user_id: string
  username: string
  scopes: string[]
  browser: string
  created_at: string
  used_at: string
  expires_at: string
  ended_at: string | null
}

/** Sessions in the record. */
export type SessionStore = {
  createSession(session: StoredSession & { sha256: string }): Promise<void>
  /** By the hash of its secret, ended and expired ones too: the caller says which it was. */
  findSession(sha256: string): Promise<StoredSession | undefined>
  /** Sessions of an owner that go on at this moment, the one used last first. */
  listSessions(owner_id: string, now: string): Promise<StoredSession[]>
  touchSession(id: string, used_at: string): Promise<void>
  /** False when the owner has no such session, or it has ended. */
  endSession(id: string, owner_id: string, ended_at: string): Promise<boolean>
}
