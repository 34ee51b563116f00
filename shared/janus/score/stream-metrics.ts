import type { ExchangeTurn } from '../../contract/evidence/exchange.ts'
import { chunkRateOf, continuityOf } from '../../stream/continuity.ts'
import type { Version } from './phrases.ts'
import type { StreamMetrics } from './streaming.ts'

/** How one answer came in, in the official report's terms. Where the transport told nothing, as of a replayed answer, its times stand alone. */
export function streamMetricsOf(turn: ExchangeTurn, version: Version): StreamMetrics {
  const { stream, latency_ms, ttft_ms, max_gap_ms, usage, usage_known } = turn
  const first_ms = stream ? stream.first_token_ms : ttft_ms
  const received = first_ms !== null || (!stream && turn.text !== '')
  const common = {
    ttft_s: (first_ms ?? latency_ms) / 1000,
    first_token_received: received,
    max_gap_s: (stream?.max_gap_ms ?? max_gap_ms ?? latency_ms) / 1000,
    max_gap_after_first_s: stream?.max_token_gap_ms == null ? null : stream.max_token_gap_ms / 1000,
    chunks: stream?.chunks ?? 0,
    duration_s: (stream?.duration_ms ?? latency_ms) / 1000,
    broken: stream?.end === 'cut' || stream?.end === 'stalled',
  }
  if (version === 'v1')
    return {
      ...common,
      tps: stream ? (chunkRateOf(stream) ?? 0) : 0,
      tokens: stream?.content_chunks ?? 0,
      continuity: stream ? continuityOf(stream, 'v1') : 1,
    }
  const tokens = usage_known ? usage.output_tokens : (stream?.token_chunks ?? 0)
  return { ...common, tps: tokenRate(turn, 'v2'), tokens, continuity: stream ? continuityOf(stream, 'v2') : null }
}

/**
 * Tokens in a second of one answer, for its speed. Officially tokens over the whole time, chunks with content between the first and the last where tokens are not
 * told; `v2`: the tokens between the first and the last, null where that is not known.
 */
export function tokenRate(turn: ExchangeTurn, version: Version): number | null {
  const { stream, latency_ms, usage, usage_known } = turn
  if (version === 'v1') {
    const tokens = usage_known ? usage.output_tokens || usage.input_tokens + usage.output_tokens : 0
    if (latency_ms > 0) return tokens > 0 ? (tokens * 1000) / latency_ms : stream ? (chunkRateOf(stream) ?? 0) : 0
    return null
  }
  if (!usage_known || stream?.first_token_ms == null || stream.last_token_ms === null) return null
  const span = stream.last_token_ms - stream.first_token_ms
  return span > 0 && usage.output_tokens > 0 ? (usage.output_tokens * 1000) / span : null
}
