import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { byCodePoint, sortByCodePoint } from './python-text.ts'

test('[HARB9] texts are sorted by code points, with halves of pairs, characters above U+DFFF and plain ones among them', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.string({ unit: fc.constantFrom('a', '\ue000', '\ud83d', '\ude00', '\uffff'), maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      expect(sortByCodePoint(texts)).toEqual(texts.toSorted(byCodePoint))
      const plain = texts.filter((one) => /^[ -~]*$/.test(one))
      expect(sortByCodePoint(plain)).toEqual(plain.toSorted(byCodePoint))
    }),
    draws(200),
  )
})
