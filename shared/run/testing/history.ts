import { RunEvent } from '../../contract/event.ts'
import type { RunHead } from '../../contract/run.ts'
import type { TrialBrief, TrialOutcome } from '../../contract/trial.ts'
import { noUsage } from '../../contract/usage.ts'
import { apply, initialHead } from '../apply.ts'
import type { Command } from '../command.ts'
import { decide } from '../decide.ts'
import { planTrials } from '../plan.ts'
import { createMemoryTrials } from '../trial-store.ts'
import { testSpec } from './test-spec.ts'

/** A run in memory that takes commands and keeps every event, for property tests. */
export function startHistory(spec = testSpec()) {
  const trials = createMemoryTrials(planTrials(spec))
  const events: RunEvent[] = []
  let head: RunHead = initialHead(spec)
  return {
    spec,
    trials,
    events,
    head: () => head,
    run(command: Command, nowMs: number): RunEvent[] {
      const decided = decide(head, trials, command, nowMs)
      for (const event of decided) {
        RunEvent.parse(event)
        head = apply(head, event)
        trials.write(event)
      }
      events.push(...decided)
      return decided
    },
  }
}
export type History = ReturnType<typeof startHistory>

export function brief(ordinal: number, attempt: number, outcome: TrialOutcome = 'right', cost_usd = 0.001): TrialBrief {
  const failed = outcome === 'failed'
  return {
    ordinal,
    attempt,
    item_id: String(ordinal),
    epoch: 0,
    group: ordinal % 2 ? 'odd' : 'even',
    outcome,
    score: failed ? null : outcome === 'right' ? 1 : 0,
    answer: 'A',
    expected: 'A',
    failure: failed ? 'provider/server-error' : null,
    retryable: failed,
    flags: failed ? [] : ['level_1'],
    latency_ms: 5,
    ttft_ms: 1,
    usage: { ...noUsage, output_tokens: 10 },
    cost_usd,
  }
}

/** Results as the object hands them to `decide`. */
export const results = (...briefs: TrialBrief[]): TrialBrief[] => briefs
