import { openingHash } from '#shared/run/openings.ts'
import type { Sql } from '../run/run-storage.ts'

/** Somebody who came under a name that is another agent's: who operates the service is told. */
export type RefusedName = { agent_id: string; host: string; at: string; times: number }

/** A name whose agent has not been seen for so many days is free again: containers take a new one at each start. */
export const keptDays = 30
const keptMs = keptDays * 24 * 3_600_000

/**
 * Whose names are whose: a name belongs to the agent that came under it first, known by the hash of a secret that it keeps in its data
 * directory. A restarted agent takes its name over at once; another is refused until the operator forgets the name.
 */
export function openAgentNames(sql: Sql) {
  sql.exec(`CREATE TABLE IF NOT EXISTS name (
    agent_id TEXT PRIMARY KEY, secret_sha256 TEXT NOT NULL, seen_ms INTEGER NOT NULL,
    refused_at TEXT, refused_host TEXT, refused_times INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`)
  return {
    /** Whether the name is this agent's, from now on at the latest. */
    claim({ agent_id, secret, host }: { agent_id: string; secret: string; host: string }, nowMs: number): boolean {
      const hash = openingHash(secret)
      sql.exec('DELETE FROM name WHERE seen_ms < ?', nowMs - keptMs)
      sql.exec('INSERT OR IGNORE INTO name (agent_id, secret_sha256, seen_ms) VALUES (?, ?, ?)', agent_id, hash, nowMs)
      const ours = sql.exec('SELECT 1 FROM name WHERE agent_id = ? AND secret_sha256 = ?', agent_id, hash).toArray().length > 0
      if (ours) sql.exec('UPDATE name SET seen_ms = ? WHERE agent_id = ?', nowMs, agent_id)
      else
        sql.exec(
          'UPDATE name SET refused_at = ?, refused_host = ?, refused_times = refused_times + 1 WHERE agent_id = ?',
          new Date(nowMs).toISOString(),
          host,
          agent_id,
        )
      return ours
    },
    refused(): RefusedName[] {
      return sql
        .exec<RefusedName>(
          'SELECT agent_id, refused_host AS host, refused_at AS at, refused_times AS times FROM name WHERE refused_at IS NOT NULL ORDER BY agent_id',
        )
        .toArray()
    },
    /** Makes a name free again; false when nobody has it. */
    forget(agent_id: string): boolean {
      const had = sql.exec('SELECT 1 FROM name WHERE agent_id = ?', agent_id).toArray().length > 0
      sql.exec('DELETE FROM name WHERE agent_id = ?', agent_id)
      return had
    },
  }
}
export type AgentNames = ReturnType<typeof openAgentNames>
