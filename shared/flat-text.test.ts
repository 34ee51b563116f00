import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flatText } from './flat-text.ts'

test('[RUN19] a text in one piece is the same text, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(60), (text, at) => {
      expect(flatText(text)).toBe(text)
      expect(flatText(text.slice(0, at) + text)).toBe(text.slice(0, at) + text)
      expect(flatText(text.slice(at))).toBe(text.slice(at))
    }),
  )
  expect(flatText('\ud83d\ude00 starts with a pair')).toBe('\ud83d\ude00 starts with a pair')
})
