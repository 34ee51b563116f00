import type { Execution } from './ledger.ts'
import type { RunHost } from './run-host.ts'

type Held = { session: string; ordinal: number; attempt: number }
const key = ({ session, ordinal, attempt }: Held): string => `${session} ${ordinal}:${attempt}`

/**
 * Whether more trials are at work at once than the run's concurrency (LANE13). Leases are no measure of it: agents hold some ahead. Nor is
 * all that is at work: whoever was given up goes on until it hears of that. So those count whose lease their agent still has at the object;
 * an agent that stands still or is cut off counts until its leases have run out.
 */
export function watchSeats(run: () => Pick<RunHost, 'head' | 'rows'>, onBreach: (text: string) => void) {
  /** The newest attempt that a session was told of, by session and trial. */
  const told = new Map<string, number>()
  const atWork = new Map<Execution, Held>()
  const check = (): void => {
    const held = new Set(run().rows<Held>('SELECT session, ordinal, attempt FROM trial WHERE state = 1').map(key))
    const seats = new Set([...atWork.values()].map(key).filter((one) => held.has(one)))
    const { concurrency } = run().head()!
    if (seats.size > concurrency) onBreach(`${seats.size} trials are at work, the run allows ${concurrency}: ${[...seats].join(', ')}`)
  }
  return {
    /** The run says something to an agent. */
    onSaid(session: string | null, text: string): void {
      if (session === null || !text.startsWith('{"type":"leases"')) return
      const { leases } = JSON.parse(text) as { leases: { ordinal: number; attempt: number }[] }
      for (const { ordinal, attempt } of leases) told.set(`${session} ${ordinal}`, attempt)
    },
    /** A trial is at work until what is given back is called. */
    onWork(execution: Execution): () => void {
      const session = `session-${execution.agent}`
      atWork.set(execution, { session, ordinal: execution.ordinal, attempt: told.get(`${session} ${execution.ordinal}`)! })
      check()
      return () => void atWork.delete(execution)
    },
    /** Nobody works any more on what a killed process worked on. */
    onKilled(life: string): void {
      for (const execution of atWork.keys()) if (execution.agent === life) atWork.delete(execution)
    },
  }
}
