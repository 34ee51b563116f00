import type { PackedStream } from '../contract/packed.ts'
import type { StreamFacts } from '../contract/stream.ts'

/** The facts in their fixed order; as they are where they lack what earlier versions did not keep. */
export function packStream(facts: StreamFacts): PackedStream | StreamFacts {
  const { max_token_gap_from_ms, output_tokens, content } = facts
  if (max_token_gap_from_ms === undefined || output_tokens === undefined) return facts
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
    max_token_gap_from_ms,
    content && [content.span_ms, content.mean_ms, content.sd_ms, content.least_ms, content.most_ms, content.long],
    facts.end,
    output_tokens,
  ]
}

/** The facts by their names, of either form. */
export function unpackStream(stream: PackedStream | StreamFacts): StreamFacts {
  if (!Array.isArray(stream)) return stream
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
