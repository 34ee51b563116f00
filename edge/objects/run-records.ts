import type { TrialBrief, TrialRecord } from '#shared/contract/trial.ts'

/** Records of one report by `ordinal:attempt`: a report may hold an old and the present attempt of the same trial. */
export type Records = ReadonlyMap<string, TrialRecord>

const keyOf = ({ ordinal, attempt }: { ordinal: number; attempt: number }): string => `${ordinal}:${attempt}`

export function toRecords(results: readonly TrialRecord[]): Records {
  return new Map(results.map((record) => [keyOf(record), record]))
}

/** The record behind an accepted result: the agent's own, or one made here for a trial that was given up without a report. */
export function recordOf(records: Records, brief: TrialBrief, benchmark: string): TrialRecord {
  return records.get(keyOf(brief)) ?? givenUp(brief, benchmark)
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
    detail: {},
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
