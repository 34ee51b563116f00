import { type SandyAnswer, type SandyQuestion, tellsSandy } from '#shared/contract/sandy.ts'
import type { Clock } from '#shared/run/clock.ts'
import { silentMs } from '#shared/run/pulse.ts'
import { sendFrame } from '../run/agent-socket.ts'
import type { Member, Roster } from './roster.ts'

/** How long an agent may take: its own limits are shorter. */
const patienceMs = 25_000

/** Puts questions about Sandy to agents that have one. What is asked is lost with the memory of the object; it is asked again then. */
export function createSandyAsks(roster: Roster, clock: Clock) {
  let last = 0
  const waiting = new Map<number, (answer: SandyAnswer) => void>()
  const isAble = ({ known, sign, socket }: Member): boolean =>
    socket !== null && known.capabilities.includes(tellsSandy) && clock.now() - sign.heard_ms < silentMs
  return {
    /** Asks the first agent that has a Sandy service; null where none has. */
    async ask(question: SandyQuestion): Promise<SandyAnswer | null> {
      const able = [...roster.members()].filter(isAble).sort((a, b) => (a.known.agent_id < b.known.agent_id ? -1 : 1))[0]
      if (!able) return null
      const ask = ++last
      const { promise, resolve } = Promise.withResolvers<SandyAnswer>()
      waiting.set(ask, resolve)
      const cancel = clock.after(patienceMs, () => resolve({ ok: false, why: `Agent ${able.known.agent_id} does not answer` }))
      sendFrame(able.socket!, { type: 'sandy', ask, question })
      try {
        return await promise
      } finally {
        cancel()
        waiting.delete(ask)
      }
    },
    told(ask: number, answer: SandyAnswer): void {
      waiting.get(ask)?.(answer)
    },
  }
}
export type SandyAsks = ReturnType<typeof createSandyAsks>
