import { expect, test } from 'vitest'
import { Streaming } from '../contract/streaming.ts'
import { streamRowOf } from '../stream/stream-row.ts'
import { exampleStream } from '../stream/testing/example-stream.ts'
import { metricTexts } from './metric-texts.ts'
import { mergeStreaming, runStreaming, streamingOf } from './streaming.ts'
import { streamingTexts } from './streaming-texts.ts'

const rows = Array.from({ length: 200 }, (_, n) => ({
  stream: streamRowOf(
    exampleStream({
      first_token_ms: 100 + n,
      last_token_ms: 1000 + n,
      connect_ms: n % 50 === 0 ? 5 : null,
      end: n < 3 ? 'cut' : n < 4 ? 'stalled' : 'done',
      output_tokens: n % 2 ? 90 : null,
    }),
  ),
}))

test('[STREAM9] each figure has its unit, its n and percentiles within 2 %; ends are counted', () => {
  const found = Streaming.parse(streamingOf(rows))
  expect([found.n, found.ends]).toEqual([200, { done: 196, closed: 0, cut: 3, stalled: 1 }])
  const { first_token_ms, connect_ms, token_rate, continuity } = found.figures
  expect(first_token_ms).toMatchObject({ unit: 'ms', n: 200, least: 100, most: 299 })
  for (const [name, rank] of [
    ['p50', 199],
    ['p90', 279],
    ['p99', 297],
  ] as const)
    expect(Math.abs(first_token_ms![name] / rank - 1)).toBeLessThanOrEqual(0.02)
  expect(connect_ms).toMatchObject({ n: 4, p50: 5, least: 5, most: 5 })
  expect(token_rate).toMatchObject({ unit: 'tokens/s', n: 100, p50: 100 })
  expect(continuity).toMatchObject({ unit: 'share', n: 196, p50: 1 })
})

test('[STREAM9] benchmarks measured apart and added up are the run measured as one', () => {
  const parts = [rows.slice(0, 30), rows.slice(30, 31), rows.slice(31)].map((part) => streamingOf(part)!)
  expect(mergeStreaming(parts)).toEqual(streamingOf(rows))
  const { figures } = runStreaming(parts.map((streaming) => ({ accuracy: 1, streaming })))!
  expect(figures.first_token_ms).toEqual({ ...streamingOf(rows)!.figures.first_token_ms, buckets: undefined })
})

test('[STREAM9] where nothing was measured there is nothing', () => {
  expect(streamingOf([])).toBeNull()
  expect(streamingOf([{}, { stream: null }])).toBeNull()
  expect([mergeStreaming([]), runStreaming([{}, { timing: {} }, { streaming: 'x' }])]).toEqual([null, null])
  expect(streamingTexts(undefined)).toEqual([])
})

test('[STREAM9] people read every figure with unit and n, and the first token once beside a benchmark', () => {
  const texts = streamingTexts(streamingOf(rows))
  expect(texts.map(({ title, text, n }) => `${title}: ${text} (${n})`)).toContain(
    'Making a connection: p50 5.0 ms · p90 5.0 ms · p99 5.0 ms (n = 4 streams)',
  )
  expect(texts.at(-1)).toMatchObject({ text: '3 cut (1.5 %) · 1 stalled (0.5 %)', n: 'n = 200 streams' })
  const names = metricTexts({ streaming: streamingOf(rows), timing: { latency_ms: null, ttft_ms: null } }).map(({ name }) => name)
  expect(names).toEqual(texts.map(({ name }) => name).filter((name) => name !== 'stream_first_token_ms'))
})
