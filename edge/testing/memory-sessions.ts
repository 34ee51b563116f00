import type { SessionStore, StoredSession } from '#db/session-store.ts'
import { type emptyTeams, teamsOf } from './memory-teams.ts'

type Kept = StoredSession & { sha256: string }

export const emptySessions = () => ({ sessions: new Map<string, Kept>() })

/** Browser sessions in memory. */
export function memorySessions(record: { sessions: Map<string, Kept> } & ReturnType<typeof emptyTeams>): SessionStore {
  const { sessions } = record
  const change = (id: string, news: Partial<Kept>) => void sessions.set(id, { ...sessions.get(id)!, ...news })
  return {
    createSession: async (session) => void sessions.set(session.id, session),
    async findSession(sha256) {
      const found = [...sessions.values()].find((one) => one.sha256 === sha256)
      return found && { ...found, teams: teamsOf(record, found.owner_id) }
    },
    listSessions: async (owner_id, now) =>
      [...sessions.values()]
        .filter((one) => one.owner_id === owner_id && one.ended_at === null && one.expires_at > now)
        .sort((a, b) => b.used_at.localeCompare(a.used_at)),
    touchSession: async (id, used_at) => change(id, { used_at }),
    async endSession(id, owner_id, ended_at) {
      const session = sessions.get(id)
      if (session?.owner_id !== owner_id || session.ended_at !== null) return false
      change(id, { ended_at })
      return true
    },
  }
}
