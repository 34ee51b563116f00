import { expect, test } from 'vitest'
import { measuredText, streamTexts, timelineOf } from './stream-timeline.ts'
import { exampleStream } from './testing/example-stream.ts'

const spans = (...given: Parameters<typeof timelineOf>) => timelineOf(...given).stretches.map(({ name, ms }) => [name, ms])

test('[STREAM10] an answer is stretches without gaps from getting in line to its end, with the longest silence in its place', () => {
  const line = timelineOf(exampleStream({ connect_ms: 30 }))
  expect(line.stretches).toEqual([
    { name: 'queue', from_ms: 0, ms: 12 },
    { name: 'connect', from_ms: 12, ms: 30 },
    { name: 'first-byte', from_ms: 42, ms: 80 },
    { name: 'first-token', from_ms: 122, ms: 20 },
    { name: 'tokens', from_ms: 142, ms: 180 },
    { name: 'end', from_ms: 322, ms: 10 },
  ])
  expect([line.total_ms, line.gap]).toEqual([332, { from_ms: 142, ms: 20 }])
})

test('[STREAM10] what never came is no stretch: the time until the end was spent waiting for it', () => {
  const nothing = {
    first_token_ms: null,
    first_content_ms: null,
    last_token_ms: null,
    max_token_gap_ms: null,
    max_token_gap_from_ms: null,
    content: null,
  }
  expect(spans(exampleStream({ ...nothing, first_byte_ms: null, queue_ms: 0, duration_ms: 5000 }))).toEqual([['first-byte', 5000]])
  expect(spans(exampleStream({ ...nothing, queue_ms: 0, duration_ms: 5000, end: 'stalled' }))).toEqual([
    ['first-byte', 80],
    ['first-token', 4920],
  ])
  expect(timelineOf(exampleStream({ max_token_gap_from_ms: undefined })).gap).toBeNull()
})

test('[STREAM10] every number is told with its unit, and a broken stream in words', () => {
  const told = Object.fromEntries(streamTexts(exampleStream({ keep_alives: 2, max_gap_ms: 40.5 })))
  expect(told).toMatchObject({ 'Token rate': '100 tokens a second', Chunks: '11, 10 with content; 2 keep-alives', Continuity: '1.00 of 1' })
  expect(told['with keep-alives heard']).toBe('41 ms')
  expect(Object.fromEntries(streamTexts(exampleStream({ end: 'cut' })))).toMatchObject({ 'The stream': 'broke off' })
  expect(Object.fromEntries(streamTexts(exampleStream({ end: 'cut' }))).Continuity).toBeUndefined()
})

test('[STREAM11] who measured is named as strangers know the agent, with its place where its operator names one', () => {
  expect(measuredText({ agent: 'agent-1f2e', place: 'Helsinki' })).toBe('Measured at agent-1f2e, Helsinki.')
  expect(measuredText({ agent: 'local', place: null })).toBe('Measured on the machine of this local run.')
  expect(measuredText(undefined)).toBeNull()
})
