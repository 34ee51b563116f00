import type { Agent } from '../contract/api.ts'

/** How an agent is, in a word: of one that is silent nothing else is claimed. */
export type AgentState = 'away' | 'silent' | 'draining' | 'working' | 'idle'

export function agentState({
  connected,
  silent,
  draining,
  running,
}: Pick<Agent, 'connected' | 'silent' | 'draining' | 'running'>): AgentState {
  if (!connected) return 'away'
  if (silent) return 'silent'
  if (draining) return 'draining'
  return running > 0 ? 'working' : 'idle'
}
