import { expect, test } from 'vitest'
import { itemHash, itemHashAfter } from '#shared/benchmarks/item-hash.ts'
import * as anywhere from '#shared/sha256.ts'
import * as native from './native-sha256.ts'

const texts = ['', 'a', 'ä😀\n\u0000', 'x'.repeat(1000)]

test('[SCORE9] Node’s hash and the one that runs anywhere agree, also after a beginning', () => {
  for (const text of texts) {
    expect(native.sha256Hex(text)).toBe(anywhere.sha256Hex(text))
    for (const more of texts) {
      expect(native.sha256After(text)(more)).toBe(anywhere.sha256After(text)(more))
      expect(itemHashAfter('user', text)(more)).toBe(itemHash([{ role: 'user', content: text + more }]))
    }
  }
})
