import { type TaskAgent, taskHarness } from '../contract/task-upload.ts'
import { terminalProfiles } from './terminal-profiles.ts'

/** Profiles under which no model is asked. */
const modelless: readonly string[] = ['oracle', 'nop']

/** Who may work at an uploaded task: the profiles of terminal benchmarks. */
export const taskAgents: readonly TaskAgent[] = terminalProfiles.map(({ id, title }) => ({
  id,
  name: title,
  harness: taskHarness,
  asks: !modelless.includes(id),
}))

export const findTaskAgent = (id: string): TaskAgent | undefined => taskAgents.find((one) => one.id === id)
