import type { Rewards } from './read-reward.ts'

/** When something began and ended, in ISO 8601; null where it did not. */
export type Times = { started_at: string | null; finished_at: string | null }

/** What ended an episode or step other than as planned. `type` is Harbor's class of it, such as `AgentTimeoutError`. */
export type EpisodeError = { type: string; message: string; traceback: string; occurred_at: string }

/** Tokens and dollars of a solver; `input_tokens` with those from a cache. Null where nobody counted. */
export type EpisodeSpent = {
  input_tokens: number | null
  cached_tokens: number | null
  output_tokens: number | null
  cost_usd: number | null
}

/** What became of one step of a task. `rewards` null: its verifier gave none. */
export type StepReport = {
  name: string
  rewards: Rewards | null
  error: EpisodeError | null
  spent: EpisodeSpent | null
  agent_execution: Times | null
  verifier: Times | null
}

/** The phases of an episode, in the order in which they are gone through. */
export const episodePhases = ['environment_setup', 'agent_setup', 'agent_execution', 'verifier'] as const
export type EpisodePhase = (typeof episodePhases)[number]

/** One episode as results tell it: what Harbor calls a trial. */
export type EpisodeReport = {
  /** A UUID, and the name of its folder in a job. */
  id: string
  name: string
  /** `path`: its folder as it was given; `source`: the data set it comes from; both hashes as `HarborTask` has them. */
  task: { name: string; path: string; version: string | null; source: string | null; checksum: string; digest: string }
  agent: { name: string; version: string }
  model: { name: string; provider: string | null } | null
  rewards: Rewards | null
  /** Null where each step has its own. */
  verifier_mode: 'shared' | 'separate' | null
  error: EpisodeError | null
  /** Null where each step has its own. */
  spent: EpisodeSpent | null
  times: Times
  phases: Readonly<Record<EpisodePhase, Times | null>>
  /** Null for a task without steps. */
  steps: readonly StepReport[] | null
}

/** What Harbor computed over the trials of one agent, model and data set: trials whose reward it counts, and trials with an error. */
export type EvalReport = { trials: number; errors: number; metrics: readonly Readonly<Record<string, number>>[] }

/** The name under which Harbor groups episodes: agent, model where there is one, and data set. */
export const evalKey = ({ agent, model, task }: Pick<EpisodeReport, 'agent' | 'model' | 'task'>): string =>
  [agent.name, ...(model ? [model.name] : []), task.source ?? 'adhoc'].join('__')

/** Several episodes that were asked for together. `planned`: how many in all; `width`: how many at once. */
export type JobReport = {
  id: string
  name: string
  started_at: string
  updated_at: string | null
  finished_at: string | null
  planned: number
  attempts: number
  width: number
  retries: number
  timeout_multiplier: number
  episodes: readonly EpisodeReport[]
  /** What Harbor computed, by `evalKey`; absent in a job that Harbor did not write. */
  told?: Readonly<Record<string, EvalReport>>
}

type Sums = { input_tokens: number | null; cached_tokens: number | null; output_tokens: number | null; cost_usd: number | null }

/** Sums of several, null where none of them was counted. */
export function addSpent(all: readonly (EpisodeSpent | null)[]): Sums {
  const sum = (key: keyof EpisodeSpent): number | null => {
    const counted = all.flatMap((one) => one?.[key] ?? [])
    return counted.length === 0 ? null : counted.reduce((total, value) => total + value, 0)
  }
  return {
    input_tokens: sum('input_tokens'),
    cached_tokens: sum('cached_tokens'),
    output_tokens: sum('output_tokens'),
    cost_usd: sum('cost_usd'),
  }
}

/** What an episode spent in all its steps. */
export const spentOf = ({ spent, steps }: EpisodeReport): Sums => addSpent(spent ? [spent] : (steps ?? []).map((step) => step.spent))
