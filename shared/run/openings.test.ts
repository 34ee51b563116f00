import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../contract/message.ts'
import type { TrialRecord } from '../contract/trial.ts'
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

test('[RUN19] a record whose opening is not there is an error, not a shorter prompt', () => {
  const { record } = createPacker()({ messages: [{ role: 'user', content: 'abc', opening: 2 }] } as TrialRecord)
  expect(() => unpackRecord(record, new Map())).toThrow('opening')
})
