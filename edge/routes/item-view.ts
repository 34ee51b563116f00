import type { ItemName, StoredTrial } from '#db/store.ts'
import type { EpochResult, RunItem } from '#shared/contract/api.ts'
import { failureClass } from '#shared/contract/failure.ts'
import type { ItemRow } from '#shared/contract/item-rows.ts'
import { withheldFlag, withoutText } from '#shared/export/export-item.ts'

/** A trial in the predecessor's form, with the new fields beside. */
export function toRunItem({ record, finished_at }: StoredTrial): RunItem {
  return {
    id: `${record.benchmark}:${record.item_id}:${record.epoch}`,
    item_id: record.item_id,
    item_hash: record.item_hash,
    prompt: record.messages.findLast((message) => message.role === 'user')?.content ?? '',
    response: record.evidence?.text ?? null,
    expected: record.expected,
    is_correct: record.outcome === 'failed' ? null : record.outcome === 'right',
    score: record.score,
    judge_output: record.evidence?.kind === 'judged' ? record.evidence.judge : null,
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
    judge_cost_usd: record.judge?.cost_usd ?? null,
  }
}

/** The trial as this visitor may see it: of a withheld benchmark only counts, times and outcome remain. */
export function withhold(trial: StoredTrial, benchmarks: ReadonlySet<string>): StoredTrial {
  return benchmarks.has(trial.record.benchmark) ? { ...trial, record: withoutText(trial.record) } : trial
}

/** A line of the list as this visitor may see it. */
export function withholdRow(row: ItemRow, benchmarks: ReadonlySet<string>): ItemRow {
  return benchmarks.has(row.benchmark) ? { ...row, answer: null, expected: null, snippet: '', flags: [...row.flags, withheldFlag] } : row
}

/** An item's epochs as this visitor may see them. */
export function withholdEpochs(epochs: EpochResult[], withheld: boolean): EpochResult[] {
  return withheld ? epochs.map((one) => ({ ...one, answer: null })) : epochs
}

/** The item that `benchmark:item_id:epoch` names, which is the `id` of an item in lists; null for any other text. */
export function readItemName(text: string | undefined): ItemName | null {
  const [, benchmark, item_id, epoch] = /^([^:]+):(.*):(\d{1,9})$/s.exec(text ?? '') ?? []
  return benchmark === undefined || item_id === undefined ? null : { benchmark, item_id, epoch: Number(epoch) }
}
