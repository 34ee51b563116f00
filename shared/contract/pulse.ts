import * as z from 'zod'
import { failureReasons } from './failure.ts'
import { foreign } from './foreign.ts'

const count = z.int().min(0)
const wait = z.number().min(0)

/** What a failed call says of itself. `detail` is the provider's own text and may quote the prompt: null for those who may not read the items. */
export const CallFailure = z.object({
  reason: z.enum(failureReasons.provider),
  status: z.int().nullable(),
  detail: foreign('provider', z.string().max(2000).nullable()),
})
export type CallFailure = z.infer<typeof CallFailure>

/** Why trials wait: for the provider to get well, for a wait it asked for, for the pace of its key, for a free place, or not at all. */
export const holds = ['circuit', 'cool-down', 'retry', 'pace', 'none'] as const

/** What the calls to one model do now. Durations count from the moment it was told: clocks differ. */
export const ModelPulse = z.object({
  provider: z.string().max(60),
  model: z.string().max(300),
  in_flight: count,
  waiting: count,
  hold: z.enum(holds),
  /** Until the next call of a trial that waits; null where none waits or no time is set. */
  next_try_ms: wait.nullable(),
  /** Which call of its trial that will be, and of how many. */
  attempt: z.int().min(1).nullable(),
  attempts: z.int().min(1).nullable(),
  /** Calls that failed since the last answer, and the last of them. */
  failed: count,
  failure: CallFailure.nullable(),
  /** The call in flight that is nearest to its limit, and which limit that is. */
  slowest: z.object({ elapsed_ms: wait, limit_ms: wait, until: z.enum(['first-token', 'end']) }).nullable(),
})
export type ModelPulse = z.infer<typeof ModelPulse>

/** What an agent does for a run now: it opens data sets, works, or finishes what is in flight before it leaves. */
export const AgentPulse = z.object({
  stage: z.enum(['preparing', 'working', 'leaving']),
  models: z.array(ModelPulse).max(50),
})
export type AgentPulse = z.infer<typeof AgentPulse>

/** What a living run does now, over all its agents. Told to viewers, never stored. */
export const RunPulse = z.object({
  agents: z.object({
    joined: count,
    preparing: count,
    leaving: count,
    /** Agents whose last sign of life is older than it should be, connected or not. */
    silent: count,
    /** Of the one that is silent longest. */
    silent_ms: wait.nullable(),
    /** Trials that the silent ones hold, and until the first of them goes to others. */
    held: count,
    freed_in_ms: wait.nullable(),
  }),
  models: z.array(ModelPulse),
})
export type RunPulse = z.infer<typeof RunPulse>

/** How a pulse is sent to viewers who asked for it: a server-sent event of this name, outside the numbering of events. */
export const PulseMessage = z.object({ event_type: z.literal('pulse'), pulse: RunPulse })
