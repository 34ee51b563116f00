import type { MeasuredBy, StreamFacts } from '../contract/stream.ts'
import { count, milliseconds } from '../metrics/number-text.ts'
import { chunkRateOf, continuityOf, tokenRateOf } from './continuity.ts'

/** The stretches of an answer in the order in which they follow each other. */
export const stretches = {
  queue: 'In line at the agent',
  connect: 'Making a connection',
  'first-byte': 'Waiting for the first byte',
  'first-token': 'First byte to first token',
  tokens: 'First to last token',
  end: 'Last token to the end',
} as const
export type StretchName = keyof typeof stretches
export type Stretch = { name: StretchName; from_ms: number; ms: number }

/** An answer from the moment it got in line: stretches without a gap between them, and the longest silence between two tokens where its place is known. */
export type StreamTimeline = { total_ms: number; stretches: Stretch[]; gap: { from_ms: number; ms: number } | null }

/** The timeline of these facts; stretches that took no time are left out. */
export function timelineOf(facts: StreamFacts): StreamTimeline {
  const sentMs = facts.queue_ms + (facts.connect_ms ?? 0)
  const marks: [StretchName, number | null][] = [
    ['queue', facts.queue_ms],
    ['connect', sentMs],
    ['first-byte', after(sentMs, facts.first_byte_ms)],
    ['first-token', after(sentMs, facts.first_token_ms)],
    ['tokens', after(sentMs, facts.last_token_ms)],
    ['end', sentMs + facts.duration_ms],
  ]
  const found: Stretch[] = []
  let from_ms = 0
  for (const [name, until] of marks) {
    if (until === null || until <= from_ms) continue
    // What ended before anything came was waited for, whichever mark was missed.
    const waited = name === 'end' && facts.first_token_ms === null ? (facts.first_byte_ms === null ? 'first-byte' : 'first-token') : name
    found.push({ name: waited, from_ms, ms: until - from_ms })
    from_ms = until
  }
  const at = facts.max_token_gap_from_ms ?? null
  const gap = at === null || facts.max_token_gap_ms === null ? null : { from_ms: sentMs + at, ms: facts.max_token_gap_ms }
  return { total_ms: from_ms, stretches: found, gap }
}

const after = (sentMs: number, ms: number | null): number | null => (ms === null ? null : sentMs + ms)

const ends: Record<StreamFacts['end'], string> = {
  done: 'ended as announced',
  closed: 'finished, then closed without saying so',
  cut: 'broke off',
  stalled: 'fell silent and was given up',
}

/** What there is to know of an answer's course, as names and texts with units, but for the stretches. */
export function streamTexts(facts: StreamFacts): [name: string, text: string][] {
  const { max_gap_ms, max_data_gap_ms, max_token_gap_ms, chunks, content_chunks, keep_alives } = facts
  const chunkRate = chunkRateOf(facts)
  const tokenRate = tokenRateOf(facts)
  const continuity = continuityOf(facts, 'v2')
  const told: [string, string | null][] = [
    ['Longest silence between tokens', max_token_gap_ms === null ? null : milliseconds(max_token_gap_ms)],
    ['between data, from the request on', max_data_gap_ms === null ? null : milliseconds(max_data_gap_ms)],
    ['with keep-alives heard', max_gap_ms === null ? null : milliseconds(max_gap_ms)],
    ['Chunks', `${count(chunks)}, ${count(content_chunks)} with content${keep_alives > 0 ? `; ${count(keep_alives)} keep-alives` : ''}`],
    ['Chunk rate', chunkRate === null ? null : `${rateText(chunkRate)} a second`],
    ['Token rate', tokenRate === null ? null : `${rateText(tokenRate)} tokens a second`],
    ['Continuity', continuity === null ? null : `${continuity.toFixed(2)} of 1`],
    ['The stream', ends[facts.end]],
  ]
  return told.flatMap(([name, text]) => (text === null ? [] : [[name, text] as [string, string]]))
}

const rateText = (rate: number): string => (rate < 100 ? rate.toFixed(1) : count(Math.round(rate)))

/** Who measured, and where: `Measured by agent-1f2e, Helsinki.`; null where nobody is named. */
export function measuredText(by: MeasuredBy | undefined): string | null {
  if (!by) return null
  const who = by.agent === 'local' ? 'Measured on the machine of this local run' : `Measured at ${by.agent}`
  return by.place === null ? `${who}.` : `${who}, ${by.place}.`
}
