import { isTerminal } from '../contract/run.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { settle } from './settle.ts'
import type { Turn } from './turn.ts'

/** Takes in results that were given elsewhere, without leases; a trial that has its result already keeps it, so that an import may be sent again. */
export function takeIn(turn: Turn, results: readonly TrialBrief[]): void {
  if (isTerminal(turn.head.status)) return
  if (turn.head.status === 'queued') turn.emit('run_started', {})
  const fresh = new Map(results.map((brief) => [brief.ordinal, brief]))
  const accepted = new Map<string, TrialBrief[]>()
  for (const brief of fresh.values()) {
    const trial = turn.trials.find(brief.ordinal)
    if (trial?.state === 'pending') accepted.set(trial.benchmark, [...(accepted.get(trial.benchmark) ?? []), brief])
  }
  for (const [name, own] of accepted) settle(turn, name, { results: own, unleased: own.length, recovered: 0 })
}
