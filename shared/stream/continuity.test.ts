import { expect, test } from 'vitest'
import type { StreamFacts } from '../contract/stream.ts'
import { chunkRateOf, chunkRates, continuityOf, tokenRateOf } from './continuity.ts'
import { factsOf, openStreamFold, sawChunk } from './stream-fold.ts'
import { exampleStream } from './testing/example-stream.ts'

/** An answer whose content came at these moments, in milliseconds. */
function contentAt(...moments: number[]): StreamFacts {
  const fold = openStreamFold(0)
  for (const at of moments) sawChunk(fold, at, true, true)
  return factsOf(fold, moments.at(-1) ?? 0, 'done', { keep_alives: 0, output_tokens: 12 })
}

const even = contentAt(0, 500, 1000, 1500)
const gapped = contentAt(0, 100, 200, 300, 3300)

test('[STREAM2] the first continuity is that of Janus: 1 for even and for fewer than three chunks, a tenth off for each long interval', () => {
  expect(continuityOf(even, 'v1')).toBe(1)
  // janus_bench.streaming_metrics.calculate_continuity([0.0, 0.1, 0.2, 0.3, 3.3])
  expect(continuityOf(gapped, 'v1')).toBeCloseTo(0.35684474237034447, 12)
  for (const short of [contentAt(), contentAt(5), contentAt(0, 9000)]) expect(continuityOf(short, 'v1')).toBe(1)
  const bursts = contentAt(...Array.from({ length: 120 }, (_, n) => Math.floor(n / 10) * 1000 + (n % 10)))
  expect([bursts.content?.long, continuityOf(bursts, 'v1')]).toEqual([11, 0])
})

test('[STREAM2] all at once is even: a span of zero takes nothing off', () => {
  const atOnce = contentAt(40, 40, 40, 40)
  expect([continuityOf(atOnce, 'v1'), continuityOf(atOnce, 'v2')]).toEqual([1, 1])
})

test('[STREAM2] the second has nothing to say of short, cut and stalled answers, and takes long intervals by their share', () => {
  expect(continuityOf(even, 'v2')).toBe(1)
  for (const short of [contentAt(), contentAt(5), contentAt(0, 9)]) expect(continuityOf(short, 'v2')).toBeNull()
  for (const end of ['cut', 'stalled'] as const) {
    expect(continuityOf({ ...even, end }, 'v2')).toBeNull()
    expect(continuityOf({ ...even, end }, 'v1')).toBe(1)
  }
  const { mean_ms, sd_ms } = gapped.content!
  expect(continuityOf(gapped, 'v2')).toBeCloseTo((1 / (1 + sd_ms / mean_ms)) * (1 - 1 / 4), 12)
  const long = contentAt(...Array.from({ length: 1000 }, (_, n) => n * 10 + Math.floor(n / 60) * 300))
  expect(long.content!.long).toBe(16)
  expect(continuityOf(long, 'v1')).toBe(0)
  expect(continuityOf(long, 'v2')).toBeGreaterThan(0.2)
})

test('[STREAM3] chunks a second count the first chunk too, as at Janus; nothing in no time', () => {
  // janus_bench.streaming_metrics.calculate_tps(["a", "b", "c"], [0.0, 0.5, 1.0])
  expect(chunkRates(contentAt(0, 500, 1000))).toEqual({ mean: 3, peak: 2, least: 2 })
  expect(chunkRates(contentAt(0, 100, 600))).toEqual({ mean: 5, peak: 10, least: 2 })
  for (const none of [contentAt(), contentAt(7), contentAt(7, 7)]) {
    expect(chunkRates(none)).toEqual({ mean: 0, peak: 0, least: 0 })
    expect(chunkRateOf(none)).toBeNull()
  }
  expect([chunkRateOf(contentAt(7, 16.9)), chunkRateOf(contentAt(7, 17))]).toEqual([null, 200]) // one read brought both
})

test('[STREAM3] tokens a second are those that the provider counted of this answer, from its first to its last', () => {
  expect(tokenRateOf(exampleStream())).toBe(100)
  for (const output_tokens of [null, undefined, 0]) expect(tokenRateOf(exampleStream({ output_tokens }))).toBeNull()
  expect(tokenRateOf(exampleStream({ first_token_ms: 280 }))).toBeNull()
  expect(tokenRateOf(exampleStream({ first_token_ms: null, last_token_ms: null }))).toBeNull()
})
