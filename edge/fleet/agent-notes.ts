import type { StoredAgent } from '#db/store.ts'
import type { Notes } from './notes.ts'

const busyMs = 5 * 60_000

/**
 * Whether the record is to hear of an agent: when it came, left, drains or is otherwise another one, and every five minutes while only its load
 * changes. An agent that does nothing is not written again.
 */
export function isNews(notes: Notes, agent: Omit<StoredAgent, 'last_seen'>, nowMs: number): boolean {
  const { free_slots, running, ...lasting } = agent
  const before = notes.find(noteOf(agent))
  if (!before) return true
  const [lastingText, loadText] = JSON.parse(before.text) as [string, string] // written by `keepAgent`
  if (lastingText !== JSON.stringify(lasting)) return true
  return loadText !== JSON.stringify({ free_slots, running }) && nowMs >= before.at_ms + busyMs
}

export function keepAgent(notes: Notes, agent: Omit<StoredAgent, 'last_seen'>, nowMs: number): void {
  const { free_slots, running, ...lasting } = agent
  notes.keep(noteOf(agent), JSON.stringify([JSON.stringify(lasting), JSON.stringify({ free_slots, running })]), nowMs)
}

export const noteOf = ({ agent_id }: Pick<StoredAgent, 'agent_id'>): string => `agent ${agent_id}`
