import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const utf8 = new TextEncoder()

/** SHA-256 in hex of a text's UTF-8 bytes, in JavaScript, for where nothing else answers at once. In Node `#sha256` is `fleet/native-sha256.ts`. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8.encode(text)))
}

/** The same of texts that begin alike: the beginning is hashed once. It must not end in the middle of a surrogate pair. */
export function sha256After(beginning: string): (rest: string) => string {
  const begun = sha256.create().update(utf8.encode(beginning))
  return (rest) => bytesToHex(begun.clone().update(utf8.encode(rest)).digest())
}
