import type { MachineUsage } from '#shared/contract/machine-usage.ts'
import type { Sql } from '../run/run-storage.ts'

const minuteMs = 60_000
/** Minutes that are kept. */
export const keptMinutes = 24 * 60
/** Agents whose own load is kept in a sample: the busiest. */
const mostAgents = 50

/** How full the fleet was at one moment. `by_agent`: trials at work on each agent. `usage`: use of the machine of each agent that sent it. */
export type LoadSample = {
  at_ms: number
  agents: number
  slots: number
  working: number
  running_runs: number
  queued_runs: number
  by_agent: Record<string, number>
  usage?: Record<string, MachineUsage>
}

/**
 * One sample a minute for a day, taken when something comes in anyway: no timer wakes the object for it. A minute in which nothing came has no
 * sample; heartbeats make that a minute without agents.
 */
export function openLoadRing(sql: Sql) {
  sql.exec('CREATE TABLE IF NOT EXISTS load (minute INTEGER PRIMARY KEY, body TEXT NOT NULL)')
  let last = Number(sql.exec('SELECT COALESCE(MAX(minute), -1) AS minute FROM load').one().minute)
  return {
    /** Takes a sample if the minute has none yet. */
    note(nowMs: number, look: () => Omit<LoadSample, 'at_ms'>): void {
      const minute = Math.floor(nowMs / minuteMs)
      if (minute <= last) return
      last = minute
      const { by_agent, usage = {}, ...sample } = look()
      const busiest = Object.entries(by_agent)
        .sort((a, b) => b[1] - a[1])
        .slice(0, mostAgents)
      sql.exec(
        'INSERT OR REPLACE INTO load VALUES (?, ?)',
        minute,
        JSON.stringify({
          ...{ at_ms: nowMs, ...sample, by_agent: Object.fromEntries(busiest) },
          usage: Object.fromEntries(busiest.flatMap(([name]) => (usage[name] ? [[name, usage[name]]] : []))),
        }),
      )
      sql.exec('DELETE FROM load WHERE minute <= ?', minute - keptMinutes)
    },
    /** Samples of the last minutes, oldest first. */
    read(minutes: number, nowMs: number): LoadSample[] {
      const from = Math.floor(nowMs / minuteMs) - minutes
      const rows = sql.exec<{ body: string }>('SELECT body FROM load WHERE minute > ? ORDER BY minute', from).toArray()
      return rows.map(({ body }) => JSON.parse(body) as LoadSample) // written above
    },
  }
}
export type LoadRing = ReturnType<typeof openLoadRing>
