import type { TrialBrief } from '../contract/trial.ts'
import { noUsage } from '../contract/usage.ts'
import type { Trial } from './trial-store.ts'

/** The result of a trial that `maxDeaths` agents vanished over: the failure `agent/poison`. */
export function poisonBrief(trial: Trial): TrialBrief {
  const { ordinal, attempt, item_id, epoch } = trial
  return {
    ordinal,
    attempt,
    item_id,
    epoch,
    group: null,
    outcome: 'failed',
    score: null,
    answer: null,
    expected: null,
    failure: 'agent/poison',
    retryable: true,
    flags: [],
    latency_ms: null,
    ttft_ms: null,
    usage: noUsage,
    cost_usd: null,
  }
}
