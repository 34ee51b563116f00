import type { StreamFacts } from '../../contract/stream.ts'

/** An answer of ten pieces that came in evenly, with what is given in its place. */
export function exampleStream(change: Partial<StreamFacts> = {}): StreamFacts {
  return {
    queue_ms: 12,
    connect_ms: null,
    first_byte_ms: 80,
    first_token_ms: 100,
    first_content_ms: 100,
    last_token_ms: 280,
    duration_ms: 290,
    chunks: 11,
    content_chunks: 10,
    token_chunks: 10,
    keep_alives: 0,
    max_gap_ms: 100,
    max_data_gap_ms: 100,
    max_token_gap_ms: 20,
    max_token_gap_from_ms: 100,
    content: { span_ms: 180, mean_ms: 20, sd_ms: 0, least_ms: 20, most_ms: 20, long: 0 },
    end: 'done',
    output_tokens: 18,
    ...change,
  }
}
