import type { PackedStream } from '../contract/packed.ts'
import type { StreamFacts } from '../contract/stream.ts'

/** Packs the facts of a stream into a tuple, without field names. */
export function packStream(facts: StreamFacts): PackedStream {
  const { content } = facts
  return [
    facts.queue_ms,
    facts.connect_ms,
    facts.first_byte_ms,
    facts.first_token_ms,
    facts.first_content_ms,
    facts.last_token_ms,
    facts.duration_ms,
    facts.chunks,
    facts.content_chunks,
    facts.token_chunks,
    facts.keep_alives,
    facts.max_gap_ms,
    facts.max_data_gap_ms,
    facts.max_token_gap_ms,
    facts.max_token_gap_from_ms ?? null,
    content && [content.span_ms, content.mean_ms, content.sd_ms, content.least_ms, content.most_ms, content.long],
    facts.end,
    facts.output_tokens ?? null,
  ]
}

/** Unpacks a tuple into the facts of a stream. */
export function unpackStream(stream: PackedStream): StreamFacts {
  const [
    queue_ms,
    connect_ms,
    first_byte_ms,
    first_token_ms,
    first_content_ms,
    last_token_ms,
    duration_ms,
    chunks,
    content_chunks,
    token_chunks,
    keep_alives,
    max_gap_ms,
    max_data_gap_ms,
    max_token_gap_ms,
    max_token_gap_from_ms,
    intervals,
    end,
    output_tokens,
  ] = stream
  return {
    queue_ms,
    connect_ms,
    first_byte_ms,
    first_token_ms,
    first_content_ms,
    last_token_ms,
    duration_ms,
    chunks,
    content_chunks,
    token_chunks,
    keep_alives,
    max_gap_ms,
    max_data_gap_ms,
    max_token_gap_ms,
    max_token_gap_from_ms,
    content: intervals && contentOf(intervals),
    end,
    output_tokens,
  }
}

function contentOf([span_ms, mean_ms, sd_ms, least_ms, most_ms, long]: NonNullable<PackedStream[15]>) {
  return { span_ms, mean_ms, sd_ms, least_ms, most_ms, long }
}
