import { sha256 } from '@noble/hashes/sha2.js'
import type { Withhold } from './bundle.ts'
import { toHex } from './bytes.ts'
import { withoutEmptyDetail } from './export-item.ts'
import { legacyJson } from './legacy-json.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * Digests for records whose text may not leave: SHA-256 over a salt of 32 bytes and the record. Each trial has its own salt, made
 * from a signature that is never published, so that nobody can try the public data set against a digest; who holds the key can
 * show later that a record is the one that was left out. The signed words cannot be mistaken for a manifest.
 */
export async function openWithhold(key: SigningKey, run_id: string, benchmarks: ReadonlySet<string>): Promise<Withhold> {
  if (benchmarks.size === 0) return () => undefined
  const encoder = new TextEncoder()
  const secret = sha256(await key.sign(encoder.encode(`chutes-bench-runner withheld salt\n${run_id}`)))
  return (record) => {
    if (!benchmarks.has(record.benchmark)) return undefined
    const salt = sha256
      .create()
      .update(secret)
      .update(encoder.encode(String(record.ordinal)))
      .digest()
    return toHex(
      sha256
        .create()
        .update(salt)
        .update(encoder.encode(legacyJson(withoutEmptyDetail(record))))
        .digest(),
    )
  }
}
