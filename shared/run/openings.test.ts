import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../contract/message.ts'
import { PackedRecord } from '../contract/packed.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { exampleStream } from '../stream/testing/example-stream.ts'
import { createPacker, namedOpenings, openingHash, unpackRecord } from './openings.ts'

const message = fc
  .record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.string({ unit: 'grapheme' }), share: fc.nat(100) })
  .map(({ role, content, share }): Message => {
    const points = [...content]
    const opening = points.slice(0, Math.floor((points.length * share) / 100)).join('').length // never amid a surrogate pair
    return { role, content, ...(opening > 0 && { opening }) } as Message
  })

test('[RUN19] a packed record unpacks to what was packed, and says each opening by its hash', () => {
  const pack = createPacker()
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), (messages) => {
      const { record, openings } = pack({ messages } as TrialRecord)
      const named = namedOpenings(record)
      expect(new Set(named)).toEqual(new Set(Object.keys(openings)))
      for (const [hash, text] of Object.entries(openings)) expect(openingHash(text)).toBe(hash)
      expect(unpackRecord(record, new Map(Object.entries(openings))).messages).toEqual(messages)
    }),
  )
})

test('[RUN19] [STREAM12] the course of an answer loses its names and gets them back; what it does not tell is null', () => {
  const whole = exampleStream({ connect_ms: 1.5, content: { span_ms: 1, mean_ms: 2, sd_ms: 3, least_ms: null, most_ms: 5, long: 6 } })
  for (const stream of [whole, exampleStream({ content: null, end: 'cut', output_tokens: null }), undefined]) {
    const { record } = createPacker()({ messages: [], ...(stream && { stream }) } as unknown as TrialRecord)
    expect(Array.isArray(record.stream)).toBe(stream !== undefined)
    const given = JSON.parse(JSON.stringify(record))
    expect(PackedRecord.shape.stream.parse(given.stream)).toEqual(record.stream)
    expect(JSON.stringify(unpackRecord(given, new Map()).stream)).toBe(JSON.stringify(stream))
  }
  const { output_tokens: _, ...untold } = whole
  const { record } = createPacker()({ messages: [], stream: untold } as unknown as TrialRecord)
  expect(unpackRecord(record, new Map()).stream).toEqual({ ...whole, output_tokens: null })
})

test('[RUN19] a record whose opening is not there is an error, not a shorter prompt', () => {
  const { record } = createPacker()({ messages: [{ role: 'user', content: 'abc', opening: 2 }] } as TrialRecord)
  expect(() => unpackRecord(record, new Map())).toThrow('opening')
})
