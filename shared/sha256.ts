import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** A SHA-256 that grows by the UTF-8 bytes of texts. None may end in the middle of a surrogate pair. */
export type GrowingSha256 = { add(text: string): GrowingSha256; copy(): GrowingSha256; hex(): string }

const utf8 = new TextEncoder()

/** SHA-256 of nothing yet, in JavaScript, for where there is no other that answers at once. In Node `#sha256` is the one of `fleet/native-sha256.ts`. */
export function openSha256(): GrowingSha256 {
  return growing(sha256.create())
}

function growing(hash: ReturnType<typeof sha256.create>): GrowingSha256 {
  const self: GrowingSha256 = {
    add(text) {
      hash.update(utf8.encode(text))
      return self
    },
    copy: () => growing(hash.clone()),
    hex: () => bytesToHex(hash.digest()),
  }
  return self
}
