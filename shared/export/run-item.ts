import type { RunItem } from '../contract/api.ts'
import { failureClass } from '../contract/failure.ts'
import { rolesOf } from '../contract/role.ts'
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
  }
}
