import type { TrialRecord } from '../contract/trial.ts'
import { streamRowOf } from '../stream/stream-row.ts'
import type { MetricRow } from './port.ts'

/** What metrics read of a record; the number of choices is the length of `item_metadata.options`, where there is such a list. */
export function metricRowOf(
  record: Pick<TrialRecord, Exclude<keyof MetricRow, 'options' | 'latency_ms' | 'ttft_ms' | 'stream'> | 'item_metadata'> &
    Partial<Pick<TrialRecord, 'latency_ms' | 'ttft_ms' | 'stream'>>,
): MetricRow {
  const choices = record.item_metadata.options
  return {
    item_id: record.item_id,
    epoch: record.epoch,
    group: record.group,
    outcome: record.outcome,
    score: record.score,
    answer: record.answer,
    flags: record.flags,
    detail: record.detail,
    options: Array.isArray(choices) ? choices.length : null,
    latency_ms: record.latency_ms ?? null,
    ttft_ms: record.ttft_ms ?? null,
    stream: record.stream ? streamRowOf(record.stream) : null,
  }
}

/** Makes rows that hold flags which say the same, and details which say nothing, once: most trials have them in common. */
export function openMetricRows(): typeof metricRowOf {
  const flags = new Map<string, string[]>()
  const nothing = {}
  return (record) => {
    const row = metricRowOf(record)
    const key = JSON.stringify(row.flags)
    const known = flags.get(key)
    if (known) row.flags = known
    else flags.set(key, row.flags)
    if (Object.keys(row.detail).length === 0) row.detail = nothing
    return row
  }
}
