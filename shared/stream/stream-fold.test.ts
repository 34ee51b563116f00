import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamFacts } from '../contract/stream.ts'
import { factsOf, mostIntervals, openStreamFold, sawChunk, sawData, sawLines } from './stream-fold.ts'

type Seen = ['keep-alive' | 'role' | 'reasoning' | 'content' | 'done', at: number]

/** The facts of lines that come at these moments of a clock that stood at 1000 when the request was sent. */
function observe(seen: readonly Seen[], endMs = seen.at(-1)?.[1] ?? 1000, end: StreamFacts['end'] = 'done'): StreamFacts {
  const fold = openStreamFold(1000)
  for (const [kind, at] of seen) {
    sawLines(fold, at)
    if (kind === 'keep-alive') continue
    sawData(fold, at)
    if (kind !== 'done') sawChunk(fold, at, kind !== 'role', kind === 'content')
  }
  const keep_alives = seen.filter(([kind]) => kind === 'keep-alive').length
  return StreamFacts.parse(factsOf(fold, endMs, end, { keep_alives, output_tokens: 7 }))
}

test('[STREAM1] the first token is content, reasoning or a piece of a tool call; content has a first of its own', () => {
  const facts = observe([
    ['role', 1050],
    ['reasoning', 1200],
    ['content', 1500],
    ['content', 1700],
    ['done', 1710],
  ])
  expect(facts).toMatchObject({ first_token_ms: 200, first_content_ms: 500, last_token_ms: 700, duration_ms: 710 })
  expect(facts).toMatchObject({ chunks: 4, content_chunks: 2, token_chunks: 3, keep_alives: 0, output_tokens: 7 })
})

test('[STREAM1] keep-alives shorten the silence between lines and no other; after the first token only tokens count', () => {
  const facts = observe([
    ['keep-alive', 1400],
    ['keep-alive', 1900],
    ['content', 2000],
    ['keep-alive', 2600],
    ['content', 2700],
    ['content', 2750],
  ])
  expect(facts).toMatchObject({
    max_gap_ms: 600,
    max_data_gap_ms: 1000,
    max_token_gap_ms: 700,
    max_token_gap_from_ms: 1000,
    keep_alives: 3,
  })
})

test('[STREAM1] what never came is null, and no mark is made up for it', () => {
  expect(observe([], 6000, 'stalled')).toMatchObject({
    ...{ first_token_ms: null, first_content_ms: null, last_token_ms: null, max_gap_ms: null, max_data_gap_ms: null },
    ...{ max_token_gap_ms: null, max_token_gap_from_ms: null, content: null, connect_ms: null, first_byte_ms: null, duration_ms: 5000 },
  })
  expect(observe([['content', 1100]]).content).toBeNull()
})

test('[STREAM1] intervals have the mean and the population deviation of their list, and as many long ones, however many there are', () => {
  const list = fc.array(fc.double({ min: 0.001, max: 4000, noNaN: true }), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(list, (intervals) => {
      const seen: Seen[] = [['content', 1000]]
      for (const ms of intervals) seen.push(['content', seen.at(-1)![1] + ms])
      const times = seen.map(([, ms]) => ms)
      const deltas = times.slice(1).map((ms, index) => ms - times[index]!)
      const mean = deltas.reduce((sum, ms) => sum + ms, 0) / deltas.length
      const sd = Math.sqrt(deltas.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / deltas.length)
      const { content } = observe(seen)
      expect(content!.mean_ms).toBeCloseTo(mean, 6)
      expect(content!.sd_ms).toBeCloseTo(sd, 4)
      expect(content!.most_ms).toBeCloseTo(Math.max(...deltas), 6)
      const clear = deltas.every((ms) => Math.abs(ms - 3 * mean) > 1e-6)
      if (clear) expect(content!.long).toBe(deltas.filter((ms) => ms > 3 * mean).length)
    }),
  )
})

test('[STREAM1] beyond 4,096 intervals nothing more is kept one by one, and long ones are counted in buckets', () => {
  const fold = openStreamFold(0)
  let at = 0
  sawChunk(fold, at, true, true)
  for (let count = 0; count < 3 * mostIntervals; count++) {
    at += count % 100 === 99 ? 200 : 10
    sawChunk(fold, at, true, true)
  }
  expect(fold.intervals).toHaveLength(mostIntervals)
  expect(fold.beyond!.size).toBe(2)
  expect(factsOf(fold, at, 'done', { keep_alives: 0, output_tokens: null }).content?.long).toBe(Math.floor((3 * mostIntervals) / 100))
})
