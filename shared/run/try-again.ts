import type { TrialBrief } from '../contract/trial.ts'
import { maxDeaths } from './lease.ts'

/** Places whose failures say nothing of the trial and its model: another attempt, perhaps of another agent, may well succeed. */
const placesOfOurs: readonly string[] = ['sandbox', 'agent', 'store']

/**
 * Whether a trial that failed is tried again by itself rather than ended: its failure may pass and lies with us, and fewer attempts than
 * `maxDeaths` came to nothing so far. `deaths` are those before this one. A provider's failures were tried again by the agent already.
 */
export function isTriedAgain({ failure, retryable }: Pick<TrialBrief, 'failure' | 'retryable'>, deaths: number): boolean {
  const [place = ''] = failure?.split('/') ?? []
  return retryable && placesOfOurs.includes(place) && deaths + 1 < maxDeaths
}
