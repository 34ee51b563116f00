import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from './bytes.ts'
import { openPlain } from './sha256.ts'

const hashOf = (pieces: readonly Uint8Array[]): string => {
  const digest = openPlain()
  for (const piece of pieces) digest.update(piece)
  return toHex(digest.digest())
}

test('[EXP124] the hash that runs anywhere gives the examples of FIPS 180-4', () => {
  const encode = (text: string) => new TextEncoder().encode(text)
  expect(hashOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(hashOf([encode('abc')])).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const two = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'
  expect(hashOf([encode(two)])).toBe('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1')
  const thousand = encode('a'.repeat(1000))
  const million = Array.from({ length: 1000 }, () => thousand)
  expect(hashOf(million)).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0')
})

test('[EXP124] it gives what the platform gives, at every length around its blocks and however the bytes come apart', () => {
  const nativeOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256)
    expect(hashOf([bytes])).toBe(nativeOf(bytes))
  }
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (pieces) => {
      expect(hashOf(pieces)).toBe(nativeOf(Buffer.concat(pieces)))
    }),
  )
})

test('[EXP124] two that run at once do not mix', () => {
  const [a, b] = [openPlain(), openPlain()]
  const part = new Uint8Array(100).fill(7)
  for (const digest of [a, b, a, b, a]) digest.update(part)
  expect(toHex(a.digest())).toBe(hashOf([part, part, part]))
  expect(toHex(b.digest())).toBe(hashOf([part, part]))
})
