import type { RunItem } from '../contract/api.ts'
import { judgeOutputOf, responseOf } from '../contract/evidence/evidence.ts'
import { failureClass } from '../contract/failure.ts'
import { rolesOf } from '../contract/role.ts'
import type { ExportTrial } from './bundle.ts'

/** A trial in the predecessor's form, with the new fields beside. */
export function toRunItem({ record, finished_at }: ExportTrial): RunItem {
  return {
    id: `${record.benchmark}:${record.item_id}:${record.epoch}`,
    item_id: record.item_id,
    item_hash: record.item_hash,
    prompt: record.messages.findLast((message) => message.role === 'user')?.content ?? '',
    response: responseOf(record.evidence),
    expected: record.expected,
    is_correct: record.outcome === 'failed' ? null : record.outcome === 'right',
    score: record.score,
    judge_output: judgeOutputOf(record.evidence),
    latency_ms: record.latency_ms,
    input_tokens: record.usage.input_tokens,
    output_tokens: record.usage.output_tokens,
    error: record.failure?.detail ?? null,
    test_code: null,
    item_metadata: record.item_metadata,
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
  }
}
