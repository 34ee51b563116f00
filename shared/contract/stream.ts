import * as z from 'zod'
import { foreign } from './foreign.ts'

const ms = z.number().min(0)

/** How the body of an answer ended: with `[DONE]` or as a whole message; closed without it though finished; broken off; silent until it was given up. */
export const streamEnds = ['done', 'closed', 'cut', 'stalled'] as const

/**
 * Whose clock measured: an agent by the name that strangers know it by in the run's events, for its own name is its operator's, and the place in the
 * network, such as `Helsinki, behind 5G`, where its operator names one to the public.
 */
export const MeasuredBy = z.object({
  agent: z.string().regex(/^(?:local|agent-[0-9a-f]{4})$/),
  place: foreign('agent', z.string().max(120).nullable()),
})
export type MeasuredBy = z.infer<typeof MeasuredBy>

/**
 * How the answer to one call came in, measured where the agent is, in milliseconds of a monotonic clock. What runs from the beginning runs from the moment
 * the request was sent, which is after its connection stood; a field is null where its moments never came or the transport does not tell them. Content is
 * the answer's own text; a token is content, reasoning or a piece of a tool call. Gaps and intervals are those of Janus (`janus_bench/streaming_metrics.py`).
 */
export const StreamFacts = z.object({
  /** In line at the limits of the agent and for a connection, before the request was sent. */
  queue_ms: ms,
  /** Making a connection for it (names, TCP, TLS), between queue and request; null where an open one was used. */
  connect_ms: ms.nullable(),
  /** Until the head of the response. */
  first_byte_ms: ms.nullable(),
  first_token_ms: ms.nullable(),
  first_content_ms: ms.nullable(),
  last_token_ms: ms.nullable(),
  /** Until the end of the body. */
  duration_ms: ms,
  /** Events that held JSON, those with content, those with any token, and comments that only keep the connection open. */
  chunks: z.int().min(0),
  content_chunks: z.int().min(0),
  token_chunks: z.int().min(0),
  keep_alives: z.int().min(0),
  /** Longest silence from the request on: between lines of any kind, and between events with data. */
  max_gap_ms: ms.nullable(),
  max_data_gap_ms: ms.nullable(),
  /** Longest silence between two chunks with a token. */
  max_token_gap_ms: ms.nullable(),
  /** The start of that silence; absent in golden answers of early versions. */
  max_token_gap_from_ms: ms.nullable().optional(),
  /** Intervals between chunks with content: from the first to the last, their mean and population standard deviation, shortest above 0 and longest. */
  content: z
    .object({
      span_ms: ms,
      mean_ms: ms,
      sd_ms: ms,
      least_ms: ms.nullable(),
      most_ms: ms,
      /** Longer than three times the mean: counted one by one up to 4,096 intervals, within 4 % of that length beyond. */
      long: z.int().min(0),
    })
    .nullable(),
  end: z.enum(streamEnds),
  /** Output tokens of this answer by the provider's count; null or absent if it sent none. */
  output_tokens: z.int().min(0).nullable().optional(),
})
export type StreamFacts = z.infer<typeof StreamFacts>
