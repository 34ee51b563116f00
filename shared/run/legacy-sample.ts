import { sha256 } from '@noble/hashes/sha2.js'
import type { Subset } from '../contract/run.ts'
import { pythonRandom } from '../random/python-random.ts'

/**
 * The predecessor's subset, item ids "0".."n-1": CPython's generator seeded with the first 16 hex digits of SHA-256 of the seed text,
 * Fisher-Yates from the end, the first k in shuffled order; everything in data order when all is taken (reference, section 4).
 */
export function legacySample(seedText: string, total: number, subset: Pick<Subset, 'pct' | 'count'>): string[] {
  const ids = Array.from({ length: total }, (_, index) => String(index))
  if (subset.count !== null ? subset.count >= total : subset.pct >= 100) return ids
  pythonRandom(legacySeed(seedText)).shuffle(ids)
  const size = subset.count !== null ? Math.max(1, subset.count) : Math.max(1, Math.floor((total * subset.pct) / 100))
  return ids.slice(0, size)
}

/** First eight bytes of SHA-256 of the text, big-endian, as an unsigned integer. */
export function legacySeed(seedText: string): bigint {
  const digest = sha256(new TextEncoder().encode(seedText))
  return digest.slice(0, 8).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}
