import { type CommandAgent, commandProfile } from '../contract/command-agent.ts'
import type { PlannedBenchmark } from '../contract/run.ts'
import { type TaskAgent, taskHarness } from '../contract/task-upload.ts'
import { agentVersion } from '../run/agent-text.ts'
import { agentPresets, findPreset } from './agent-presets.ts'
import { terminalProfiles } from './terminal-profiles.ts'

/** Profiles under which no model is asked. */
const modelless: readonly string[] = ['oracle', 'nop']

/** Who may work at an uploaded task: the profiles of terminal benchmarks, and command-line agents at pinned versions. */
export const taskAgents: readonly TaskAgent[] = [...terminalProfiles, ...agentPresets].map(({ id, title }) => ({
  id,
  name: title,
  harness: taskHarness,
  asks: !modelless.includes(id),
}))

export const findTaskAgent = (id: string): TaskAgent | undefined => taskAgents.find((one) => one.id === id)

/** Profile and command of a run in which this agent works. */
export function profileOf(id: string): { profile: string; agent?: CommandAgent } {
  const preset = findPreset(id)
  return preset ? { profile: commandProfile, agent: preset.agent } : { profile: id }
}

/** The agent that works in a planned benchmark: a preset by its command, else the profile. */
export function agentIdOf({ profile, agent }: Pick<PlannedBenchmark, 'profile' | 'agent'>): string {
  const preset = agent && agentPresets.find((one) => agentVersion(one.agent) === agentVersion(agent))
  return preset?.id ?? profile
}
