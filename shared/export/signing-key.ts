import { fromBase64, toBase64, toHex } from './bytes.ts'
import { fingerprintOf, publicKeyOf, signMessage } from './ed25519.ts'

/** A key that signs exports; the seed stays inside the closure. */
export type SigningKey = { public_key: string; fingerprint: string; sign(bytes: Uint8Array): Promise<Uint8Array> }

/**
 * Opens a private key as operators configure it: PEM PKCS #8 (what `openssl genpkey -algorithm ed25519` prints; line breaks may be `\n` or
 * blanks), standard base64 of that PEM, on one line or several, or of the 32 seed bytes. Throws `BadKey` without repeating any of the text.
 */
export function openSigningKey(text: string): SigningKey {
  const seed = parseSeed(text)
  const publicKey = publicKeyOf(seed)
  return {
    public_key: toBase64(publicKey),
    fingerprint: fingerprintOf(publicKey),
    sign: async (bytes) => signMessage(bytes, seed),
  }
}

/** Reads a public key as PEM or standard base64 of its 32 raw bytes. Throws `BadKey`. */
export function parsePublicKey(text: string): Uint8Array {
  const der = readPem(text, 'PUBLIC KEY')
  if (der) {
    if (der.length !== 44 || toHex(der.subarray(0, 12)) !== '302a300506032b6570032100') throw new BadKey('not an Ed25519 public key')
    return der.subarray(12)
  }
  const raw = fromBase64(text.trim())
  if (raw?.length !== 32) throw new BadKey('a public key is PEM or base64 of 32 bytes')
  return raw
}

export class BadKey extends Error {}

function parseSeed(text: string): Uint8Array {
  const der = readPem(plainPem(text), 'PRIVATE KEY')
  if (!der) {
    const raw = fromBase64(text.trim())
    if (raw?.length !== 32) throw new BadKey('a signing key is PEM PKCS #8 or base64 of the 32 seed bytes')
    return raw
  }
  // SEQUENCE, version 0 (or 1 with the public key appended), id-Ed25519, OCTET STRING in OCTET STRING.
  if (!/^30[0-7][0-9a-f]02010[01]300506032b657004220420/.test(toHex(der)) || der.length < 48) throw new BadKey('not an Ed25519 private key')
  return der.subarray(16, 48)
}

/** The PEM that a text holds as base64, or the text. Variables that take one line only are filled so. */
function plainPem(text: string): string {
  const bytes = fromBase64(text.replace(/\s/g, ''))
  const decoded = bytes ? new TextDecoder().decode(bytes) : ''
  return decoded.startsWith('-----BEGIN ') ? decoded : text
}

function readPem(text: string, label: string): Uint8Array | undefined {
  const match = new RegExp(`^\\s*-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----\\s*$`).exec(
    text.replaceAll('\\n', '\n'),
  )
  if (!match) return undefined
  const der = fromBase64(match[1]!.replace(/\s/g, ''))
  if (!der) throw new BadKey('the PEM is damaged')
  return der
}
