import type { Outcome } from '#shared/contract/failure.ts'
import type { CallLimits } from '#shared/contract/limits.ts'
import type { Usage } from '#shared/contract/usage.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import type { ModelRequest } from '../model/request-body.ts'

/** A model ready to be asked, tested or helping. `onCall` hears of every request that was sent, also of those that failed, with what it used. */
export type TrialModel = {
  generate(request: ModelRequest, signal: AbortSignal, onCall: (usage: Usage) => void, limits?: CallLimits): Promise<Outcome<Completion>>
  /** When the provider will accept requests again, where it said so (402); ISO 8601 UTC. */
  resetAt(): string | null
}
