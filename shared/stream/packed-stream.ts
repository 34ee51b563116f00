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
  const content = stream[15]
  return {
    queue_ms: stream[0],
    connect_ms: stream[1],
    first_byte_ms: stream[2],
    first_token_ms: stream[3],
    first_content_ms: stream[4],
    last_token_ms: stream[5],
    duration_ms: stream[6],
    chunks: stream[7],
    content_chunks: stream[8],
    token_chunks: stream[9],
    keep_alives: stream[10],
    max_gap_ms: stream[11],
    max_data_gap_ms: stream[12],
    max_token_gap_ms: stream[13],
    max_token_gap_from_ms: stream[14],
    content: content && {
      span_ms: content[0],
      mean_ms: content[1],
      sd_ms: content[2],
      least_ms: content[3],
      most_ms: content[4],
      long: content[5],
    },
    end: stream[16],
    output_tokens: stream[17],
  }
}
