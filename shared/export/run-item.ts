import type { RunItem } from '../contract/api.ts'
import { failureClass } from '../contract/failure.ts'
import { rolesOf } from '../contract/role.ts'
import type { StreamFacts } from '../contract/stream.ts'
import { continuityOf, tokenRateOf } from '../stream/continuity.ts'
import type { ExportTrial } from './bundle.ts'
import { predecessorFields } from './export-item.ts'

/** A trial in the predecessor's form, with the new fields beside. */
export function toRunItem({ record, finished_at }: ExportTrial): RunItem {
  return {
    id: `${record.benchmark}:${record.item_id}:${record.epoch}`,
    ...predecessorFields(record),
    error: record.failure?.detail ?? null,
    created_at: finished_at,
    ordinal: record.ordinal,
    benchmark: record.benchmark,
    epoch: record.epoch,
    group: record.group,
    outcome: record.outcome,
    answer: record.answer,
    flags: record.flags,
    failure: record.failure ? failureClass(record.failure) : null,
    ttft_ms: record.ttft_ms,
    cost_usd: record.cost_usd,
    judge_cost_usd: rolesOf(record).judge?.cost_usd ?? null,
    ...streamed(record.stream),
  }
}

function streamed(stream: StreamFacts | undefined): Pick<RunItem, 'max_token_gap_ms' | 'token_rate' | 'continuity' | 'stream_end'> {
  if (!stream) return { max_token_gap_ms: null, token_rate: null, continuity: null, stream_end: null }
  const { max_token_gap_ms, end } = stream
  return { max_token_gap_ms, token_rate: tokenRateOf(stream), continuity: continuityOf(stream, 'v2'), stream_end: end }
}
