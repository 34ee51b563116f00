import type { Evidence } from '#shared/contract/evidence/evidence.ts'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { Item, Score } from '#shared/contract/item.ts'
import { rolesOf } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { MeasuredBy } from '#shared/contract/stream.ts'
import { mostInlineTranscript, type Step, transcriptLostFlag } from '#shared/contract/transcript.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import { costUsd, noUsage, type Price } from '#shared/contract/usage.ts'
import { flatText } from '#shared/flat-text.ts'
import { limitMet } from '#shared/metrics/cut-note.ts'
import { redactedFlag } from '#shared/secrets/redactor.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import type { OpenKit } from './create-kit.ts'
import { withoutData } from './transcript.ts'

/** The record of a trial that came to nothing before its item could be read: nothing was asked. */
export function emptyRecord(lease: Lease, planned: PlannedBenchmark, price: Price | null, failure: Failure): TrialRecord {
  const taken = { usage: noUsage, cost_usd: costUsd(noUsage, price), calls: 0 }
  return recordOf(lease, planned, null, { ok: false, failure }, null, { flags: [], ...taken, last: null })
}

/** The record of a trial with all that it took. */
export function spentRecord(
  lease: Lease,
  planned: PlannedBenchmark,
  item: Item,
  { spending, artifacts }: Pick<OpenKit, 'spending' | 'artifacts'>,
  price: Price | null,
  scored: Outcome<Score>,
  evidence: Evidence | null,
  told: Told,
  measuredBy: MeasuredBy | null = null,
  context_length: number | null = null,
): TrialRecord {
  const { usage, calls, last, stream: latest } = spending.of('model')
  const flags = [
    ...(spending.redacted() ? [redactedFlag] : []),
    ...(told.lost ? [transcriptLostFlag] : []),
    ...(scored.ok ? endsOf(last, planned, context_length) : []),
  ]
  const record = recordOf(lease, planned, item, scored, evidence, { flags, usage, cost_usd: costUsd(usage, price), calls, last })
  const roles = spending.helpers(rolesOf(planned))
  if (roles) record.roles = roles
  const stream = scored.ok ? last?.stream : (latest ?? last?.stream)
  if (stream) {
    record.stream = stream
    if (measuredBy) record.measured_by = measuredBy
  }
  if (told.steps) record.transcript = told.steps
  const kept = artifacts()
  if (kept.length > 0) record.artifacts = kept
  return record
}

/** Which limit other than `max_tokens` cut the last answer off, as a flag; empty where none did, or where nobody can tell. */
function endsOf(last: Completion | null, { params }: Pick<PlannedBenchmark, 'params'>, context_length: number | null): string[] {
  const met = last?.finish_reason === 'length' && last.usage_known ? limitMet(last.usage, params, context_length) : null
  return met === null ? [] : [met]
}

/** The steps that the record carries, and whether there were more that could not be kept. */
export type Told = { steps: Step[] | null; lost: boolean }
const nothingLost: Told = { steps: null, lost: false }

/**
 * The transcript as the record carries it: nothing where the evidence tells it all, the steps where they are short, else an artifact of kind
 * `transcript`; where there is no store for it the record says by a flag that it is not kept.
 */
export function keptTranscript({ kit, transcript }: OpenKit): Told | Promise<Told> {
  if (!transcript.tells()) return nothingLost
  const lines = transcript.steps.map((step) => JSON.stringify(step))
  const chars = lines.reduce((sum, line) => sum + line.length, 0)
  if (chars <= mostInlineTranscript) return { steps: [...transcript.steps], lost: false }
  const body = new TextEncoder().encode(`${lines.join('\n')}\n`)
  const kept = kit.keep({ name: 'transcript.jsonl', kind: 'transcript', media_type: 'application/x-ndjson', body })
  return kept.then(({ ok }) => ({ steps: null, lost: !ok }))
}

/** What a trial took of the tested model, its last answer, and what else there is to flag. */
type Taken = Pick<TrialRecord, 'flags' | 'usage' | 'cost_usd' | 'calls'> & { last: Completion | null }

const flatOrNull = (text: string | null | undefined): string | null => (text == null ? null : flatText(text))

/** Written in one piece: there may be thousands a second. */
function recordOf(
  lease: Lease,
  planned: PlannedBenchmark,
  item: Item | null,
  scored: Outcome<Score>,
  evidence: Evidence | null,
  { flags, usage, cost_usd, calls, last }: Taken,
): TrialRecord {
  const score = scored.ok ? scored.value : null
  return {
    ...lease,
    source_id: item?.source_id ?? null,
    item_hash: item?.item_hash ?? '',
    group: item?.group ?? null,
    outcome: score ? score.outcome : 'failed',
    score: score ? score.value : null,
    answer: flatOrNull(score?.answer),
    expected: item?.target ?? null,
    explanation: flatOrNull(score?.explanation),
    flags: score ? [...score.flags, ...flags] : flags,
    detail: score?.detail ?? {},
    messages: item ? item.messages.map(withoutData) : [],
    params: planned.params,
    evidence,
    failure: scored.ok ? null : scored.failure,
    item_metadata: item?.metadata ?? {},
    usage,
    cost_usd,
    calls,
    model_reported: last?.model_reported ?? null,
    system_fingerprint: last?.system_fingerprint ?? null,
    latency_ms: last?.latency_ms ?? null,
    ttft_ms: last?.ttft_ms ?? null,
    max_gap_ms: last?.max_gap_ms ?? null,
  }
}
