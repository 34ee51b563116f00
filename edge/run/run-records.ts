import type { Openings, PackedRecord } from '#shared/contract/packed.ts'
import type { TrialBrief } from '#shared/contract/trial.ts'

/**
 * What a report brings: records by `ordinal:attempt` (an old and the present attempt of one trial may come together), the JSON text of each that came with
 * one, and openings. `finished_at`: when its results were there, where that is not the moment they are told.
 */
export type Report = {
  records: ReadonlyMap<string, PackedRecord>
  texts: ReadonlyMap<PackedRecord, string>
  openings: Openings
  finished_at?: string
}

export const noReport: Report = { records: new Map(), texts: new Map(), openings: {} }

const keyOf = ({ ordinal, attempt }: { ordinal: number; attempt: number }): string => `${ordinal}:${attempt}`

export function toReport(results: readonly PackedRecord[], openings: Openings, texts: readonly string[] = []): Report {
  return {
    records: new Map(results.map((record) => [keyOf(record), record])),
    texts: new Map(texts.map((text, at) => [results[at]!, text])),
    openings,
  }
}

/** The record behind an accepted result: the agent's own, or one made here for a trial that was given up without a report. */
export function recordOf({ records }: Report, brief: TrialBrief, benchmark: string): PackedRecord {
  return records.get(keyOf(brief)) ?? givenUp(brief, benchmark)
}

function givenUp(brief: TrialBrief, benchmark: string): PackedRecord {
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
