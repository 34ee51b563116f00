import type { AgentPulse, RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { heardByLease, joinPulses } from '#shared/run/pulse.ts'

/**
 * What the agents of a run said last of what they do, by session, and when each was heard. Kept in memory only: agents say it again within
 * seconds, and after a restart of the object their leases tell roughly when they were heard.
 */
export function createPulses(held: (session: string) => number) {
  const heard = new Map<string, number>()
  const told = new Map<string, { pulse: AgentPulse; at_ms: number }>()
  return {
    heard: (session: string, nowMs: number): void => void heard.set(session, nowMs),
    told: (session: string, { stage, models }: AgentPulse, nowMs: number): void =>
      void told.set(session, { pulse: { stage, models }, at_ms: nowMs }),
    /** The agent's connection is gone: what it does now is not known. */
    gone: (session: string): void => void told.delete(session),
    /** Null once the run has ended. */
    now(head: RunHead, nowMs: number): RunPulse | null {
      for (const session of heard.keys()) if (!head.agents[session]) heard.delete(session)
      for (const session of told.keys()) if (!head.agents[session]) told.delete(session)
      if (isTerminal(head.status)) return null
      const agents = Object.entries(head.agents).map(([session, { until_ms }]) => {
        const last = told.get(session)
        const heard_ms = heard.get(session) ?? heardByLease(head, session, nowMs)
        return { pulse: last?.pulse ?? null, told_ms: last?.at_ms ?? 0, heard_ms, until_ms, held: () => held(session) }
      })
      return joinPulses(agents, nowMs)
    },
  }
}
