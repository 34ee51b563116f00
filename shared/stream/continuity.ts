import type { StreamFacts } from '../contract/stream.ts'

/**
 * How evenly the content of an answer came in, from 0 to 1; `v1` is `calculate_continuity` of `janus_bench/streaming_metrics.py`: 1/(1+CV) with a tenth
 * off for every interval longer than three times the mean, and 1 for fewer than three chunks with content. `v2` takes the share of such intervals
 * in place of their number, so that a long answer may have some, and has nothing to say (null) of an answer that was cut, stalled or too short.
 */
export function continuityOf(facts: StreamFacts, version: 'v1'): number
export function continuityOf(facts: StreamFacts, version: 'v1' | 'v2'): number | null
export function continuityOf({ content, content_chunks, end }: StreamFacts, version: 'v1' | 'v2'): number | null {
  const short = content_chunks < 3 || !content
  if (version === 'v1' && short) return 1
  if (short || (version === 'v2' && (end === 'cut' || end === 'stalled'))) return null
  const even = 1 / (1 + (content.mean_ms > 0 ? content.sd_ms / content.mean_ms : 0))
  const kept = version === 'v1' ? Math.max(0, 1 - content.long * 0.1) : 1 - content.long / (content_chunks - 1)
  return Math.min(1, Math.max(0, even * kept))
}

/** Janus' rates of chunks with content in a second: mean (its numerator counts the first chunk too), highest and lowest; 0 where fewer than two came or all at once. */
export function chunkRates({ content, content_chunks }: StreamFacts): { mean: number; peak: number; least: number } {
  if (!content || content.span_ms <= 0) return { mean: 0, peak: 0, least: 0 }
  const perSecond = (ms: number): number => (ms > 0 ? 1000 / ms : 0)
  return { mean: (content_chunks * 1000) / content.span_ms, peak: perSecond(content.least_ms ?? 0), least: perSecond(content.most_ms) }
}

/** Shortest time, in milliseconds, over which a rate is told: chunks that one read brought together say nothing of a rate. */
const leastSpanMs = 10

/** Chunks with content in a second from the first to the last; null where they came within `leastSpanMs`. */
export function chunkRateOf(facts: StreamFacts): number | null {
  return facts.content && facts.content.span_ms >= leastSpanMs ? chunkRates(facts).mean : null
}

/** Tokens that the provider counted in a second from the first to the last token; null where it told none or they came within `leastSpanMs`. */
export function tokenRateOf({ output_tokens, first_token_ms, last_token_ms }: StreamFacts): number | null {
  if (output_tokens === null || output_tokens === undefined || output_tokens === 0) return null
  if (first_token_ms === null || last_token_ms === null || last_token_ms - first_token_ms < leastSpanMs) return null
  return (output_tokens * 1000) / (last_token_ms - first_token_ms)
}
