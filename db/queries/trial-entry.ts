import type { PackedRecord } from '#shared/contract/packed.ts'
import { searchText, snippetOf } from '#shared/run/search-text.ts'
import { unpackStream } from '#shared/stream/packed-stream.ts'
import { streamRowOf } from '#shared/stream/stream-row.ts'
import { storableText } from '../storable.ts'
import { gramsOf } from './grams.ts'

/** Columns of `trials` that a batch brings, by their type. */
export const listedColumns = {
  finished_at: 'timestamptz',
  seq: 'bigint',
  score: 'float8',
  latency_ms: 'float8',
  ttft_ms: 'float8',
  cost_usd: 'float8',
  ordinal: 'int',
  epoch: 'int',
  attempt: 'int',
  input_tokens: 'int',
  output_tokens: 'int',
  cached_tokens: 'int',
  reasoning_tokens: 'int',
  options: 'int',
  outcome: 'trial_outcome',
  benchmark: 'text',
  item_id: 'text',
  source_id: 'text',
  group_name: 'text',
  answer: 'text',
  expected: 'text',
  failure: 'text',
  flags: 'text[]',
  detail: 'json',
  record_size: 'int',
  stream: 'json',
} as const

/** What lists, filters and searches need of a record. `text` is the record as it is stored. */
export function entryOf(record: PackedRecord, text: string, given: { finished_at: string; seq: number }) {
  const { usage, failure, item_metadata } = record
  return {
    finished_at: given.finished_at,
    seq: given.seq,
    score: record.score,
    latency_ms: record.latency_ms,
    ttft_ms: record.ttft_ms,
    cost_usd: record.cost_usd,
    ordinal: record.ordinal,
    epoch: record.epoch,
    attempt: record.attempt,
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cached_tokens: usage.cached_tokens,
    reasoning_tokens: usage.reasoning_tokens,
    options: Array.isArray(item_metadata.options) ? item_metadata.options.length : null,
    outcome: record.outcome,
    benchmark: record.benchmark,
    item_id: record.item_id,
    source_id: record.source_id,
    group_name: record.group,
    answer: record.answer,
    expected: record.expected,
    failure: failure && `${failure.at}/${failure.reason}`,
    flags: record.flags,
    detail: record.detail,
    record_size: text.length,
    stream: record.stream ? streamRowOf(unpackStream(record.stream)) : null,
    ...textsOf(record),
  } satisfies Record<keyof typeof listedColumns | keyof TrialTexts, unknown>
}

export type TrialTexts = { snippet: string; grams: string | null; search: string }

/** A trial's row in `trial_texts`. */
export function textsOf(record: PackedRecord): TrialTexts {
  const search = storableText(searchText(record))
  return { snippet: snippetOf(record), grams: gramsOf(search), search }
}
