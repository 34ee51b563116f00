import type { Membership } from './team-store.ts'

/** A browser session. `browser` is the User-Agent header; `scopes` are the granted OAuth scopes. */
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

/** A session with the teams of its user. */
export type FoundSession = StoredSession & { teams: Membership[] }

/** Database methods for browser sessions. */
export type SessionStore = {
  createSession(session: StoredSession & { sha256: string }): Promise<void>
  /** Finds a session by the hash of its secret, also an ended or expired session. */
  findSession(sha256: string): Promise<FoundSession | undefined>
  /** Lists the active sessions of an owner, most recently used first. */
  listSessions(owner_id: string, now: string): Promise<StoredSession[]>
  touchSession(id: string, used_at: string): Promise<void>
  /** Ends a session. Returns false if the owner has no active session with this id. */
  endSession(id: string, owner_id: string, ended_at: string): Promise<boolean>
}
