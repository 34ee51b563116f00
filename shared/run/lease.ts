import { isTerminal, type RunHead } from '../contract/run.ts'

/** A lease lives this long after its agent was last heard; agents renew every `renewMs` by a message of their own. */
export const leaseMs = 30_000
export const renewMs = 10_000
/** After a closed socket the agent has this long to come back before its trials go to others. */
export const graceMs = 10_000
/**
 * So many attempts at one trial may come to nothing: its agent vanished (the last of them ends it as `agent/poison`), or its sandbox, agent or
 * store failed (the last such failure stands).
 */
export const maxDeaths = 3

/**
 * Whether an agent asks for work or time although the run has given it up: it slept with its socket open. It has to say hello again, with
 * what it still holds; otherwise it would be told for ever that there is nothing to do.
 */
export function isStranger(head: Pick<RunHead, 'agents' | 'status'>, session: string, asks: string): boolean {
  return (asks === 'claim' || asks === 'renew') && !head.agents[session] && !isTerminal(head.status)
}
