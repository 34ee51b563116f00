import type { RunEvent } from '#shared/contract/event.ts'
import type { TrialBrief, TrialRecord } from '#shared/contract/trial.ts'
import type { RunRows } from './run-rows.ts'

export type Records = Map<number, TrialRecord>

/** Records to store with the events: those an agent reported, and one made here for every trial that was given up without a report. */
export function recordsFor(events: RunEvent[], reported: Records, rows: RunRows): Records {
  const records = new Map(reported)
  for (const event of events) {
    if (event.event_type !== 'benchmark_progress') continue
    for (const brief of event.data.results) {
      if (!records.has(brief.ordinal)) records.set(brief.ordinal, givenUp(brief, rows.trials.find(brief.ordinal)!.benchmark))
    }
  }
  return records
}

function givenUp(brief: TrialBrief, benchmark: string): TrialRecord {
  const { ordinal, attempt, item_id, epoch, usage } = brief
  return {
    ordinal,
    attempt,
    benchmark,
    item_id,
    epoch,
    usage,
    source_id: null,
    item_hash: '',
    group: null,
    outcome: 'failed',
    score: null,
    answer: null,
    expected: null,
    explanation: null,
    flags: [],
    messages: [],
    params: null,
    evidence: null,
    failure: {
      at: 'agent',
      reason: 'poison',
      retryable: true,
      status: null,
      detail: 'Three agents vanished while they worked on this trial.',
    },
    item_metadata: {},
    cost_usd: null,
    calls: 0,
    model_reported: null,
    system_fingerprint: null,
    latency_ms: null,
    ttft_ms: null,
    max_gap_ms: null,
  }
}
