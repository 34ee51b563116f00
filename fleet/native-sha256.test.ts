import { expect, test } from 'vitest'
import { itemHash, itemHashAfter } from '#shared/benchmarks/item-hash.ts'
import { openSha256 as anywhere } from '#shared/sha256.ts'
import { openSha256 as native } from './native-sha256.ts'

const texts = ['', 'a', 'ä😀\n\u0000', 'x'.repeat(1000)]

test('[SCORE9] Node’s hash and the one that runs anywhere agree, also when a copy grows apart', () => {
  for (const text of texts)
    for (const more of texts) {
      const [one, other] = [native().add(text), anywhere().add(text)]
      const copies = [one.copy().add(more).hex(), other.copy().add(more).hex()]
      expect(copies[0]).toBe(copies[1])
      expect(one.hex()).toBe(other.hex())
      expect(itemHashAfter('user', text)(more)).toBe(itemHash([{ role: 'user', content: text + more }]))
    }
})
