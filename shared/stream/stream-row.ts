import * as z from 'zod'
import { type StreamFacts, streamEnds } from '../contract/stream.ts'
import { chunkRateOf, continuityOf, tokenRateOf } from './continuity.ts'

/** What is told of the answers of a benchmark or a run, in milliseconds, in tokens or chunks a second, or as a share of 1. Continuity is that of `v2`. */
export const streamFigures = {
  queue_ms: { unit: 'ms', of: (facts) => facts.queue_ms },
  connect_ms: { unit: 'ms', of: (facts) => facts.connect_ms },
  first_byte_ms: { unit: 'ms', of: (facts) => facts.first_byte_ms },
  first_token_ms: { unit: 'ms', of: (facts) => facts.first_token_ms },
  max_gap_ms: { unit: 'ms', of: (facts) => facts.max_gap_ms },
  max_data_gap_ms: { unit: 'ms', of: (facts) => facts.max_data_gap_ms },
  max_token_gap_ms: { unit: 'ms', of: (facts) => facts.max_token_gap_ms },
  chunk_rate: { unit: 'chunks/s', of: chunkRateOf },
  token_rate: { unit: 'tokens/s', of: tokenRateOf },
  continuity: { unit: 'share', of: (facts) => continuityOf(facts, 'v2') },
} as const satisfies Record<string, { unit: string; of(facts: StreamFacts): number | null }>
export type StreamFigure = keyof typeof streamFigures
export const streamFigureNames = Object.keys(streamFigures) as StreamFigure[]

/** What metrics read of one answer's course: how it ended (its place in `streamEnds`), then every figure in the order of the table; short, as there are many. */
export const StreamRow = z.array(z.number().nullable())
export type StreamRow = z.infer<typeof StreamRow>

/** The row of these facts. */
export function streamRowOf(facts: StreamFacts): StreamRow {
  return [streamEnds.indexOf(facts.end), ...streamFigureNames.map((name) => streamFigures[name].of(facts))]
}
