import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32, isKey, keyPattern, newKey } from './key-format.ts'

test('[AUTH1] a key is cbr_, 30 base62 characters and their CRC-32; one changed character is noticed', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 39 }), fc.integer({ min: 1, max: 61 }), (at, shift) => {
      const key = newKey()
      expect(key).toMatch(keyPattern)
      expect(isKey(key)).toBe(true)
      const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      const other = alphabet[(alphabet.indexOf(key[at]!) + shift) % 62]
      expect(isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }),
  )
})

test('[AUTH1] two keys differ, and bytes that would favour some characters are not used', () => {
  const biased = (length: number) => Uint8Array.from({ length }, (_, index) => (index % 2 ? 255 : 61))
  expect(newKey(biased).slice(4, 34)).toBe('z'.repeat(30))
  expect(newKey()).not.toBe(newKey())
})

test('[AUTH1] what is no key is refused without a look at the checksum', () => {
  for (const text of ['', 'cbr_', `cbr_${'0'.repeat(36)}`, `xbr_${newKey().slice(4)}`, `${newKey()}0`, `cbr_${'é'.repeat(36)}`])
    expect(isKey(text)).toBe(false)
})
