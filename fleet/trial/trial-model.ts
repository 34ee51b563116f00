import type { Outcome } from '#shared/contract/failure.ts'
import type { CallLimits } from '#shared/contract/limits.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import type { Usage } from '#shared/contract/usage.ts'
import type { ReplayedTrial } from '#shared/run/replay.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import type { ReadAnswer } from '../model/answer-reading.ts'
import type { ModelRequest } from '../model/request-body.ts'

/** Waits until a request to an endpoint may go out, where it has to, and gives what its end is told to. Throws the signal's reason when it aborts before. */
export type TakePlace = (endpoint: string, signal: AbortSignal) => (() => void) | Promise<() => void>

/**
 * A model ready to be asked, tested or helping. `onCall` hears of every request that was sent, also of those that failed, with what it used and how
 * its answer came in, as far as it did. Each
 * request takes a place while it is under way, and none while it waits to be sent again. `onAnswer` gets each answer
 * when it begins to come.
 */
export type TrialModel = {
  generate(
    request: ModelRequest,
    signal: AbortSignal,
    onCall: (usage: Usage, stream?: StreamFacts) => void,
    limits?: CallLimits,
    place?: TakePlace,
    onAnswer?: (read: ReadAnswer) => void,
  ): Promise<Outcome<Completion>>
  /** When the provider will accept requests again, where it said so (402); ISO 8601 UTC. */
  resetAt(): string | null
}

/** What is asked in place of one model for all trials where each trial has answers of its own: made anew for every attempt. */
export type ModelOfTrial = (trial: ReplayedTrial) => TrialModel
