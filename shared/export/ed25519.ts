import { getPublicKey, hashes, Point, sign, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { toHex } from './bytes.ts'

// The synchronous hash runs alike in browsers (secure context or not), Node and workerd; WebCrypto's needs a secure context.
hashes.sha512 = sha512

const order = Point.CURVE().n

/**
 * Strict Ed25519: refuses keys and points R that are not canonical, of small order or outside the prime-order group, and S ≥ L,
 * before the equation is looked at. In that remainder cofactored and cofactorless checks agree, so whatever passes here passes in
 * every other verifier too (reliability F10). Never throws: bytes of the wrong length are simply not a signature.
 */
export function verifyStrict(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false
  if (!isStrictPoint(publicKey) || !isStrictPoint(signature.subarray(0, 32))) return false
  if (readScalar(signature.subarray(32)) >= order) return false
  try {
    return verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}

/** The 64-byte signature of a message under a 32-byte seed. */
export function signMessage(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return sign(message, seed)
}

/** The 32-byte public key of a 32-byte seed. */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return getPublicKey(seed)
}

/** Name of a public key: SHA-256 of its 32 raw bytes, lower-case hex. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return toHex(sha256(publicKey))
}

function isStrictPoint(bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
}

function readScalar(littleEndian: Uint8Array): bigint {
  let scalar = 0n
  for (let index = littleEndian.length - 1; index >= 0; index--) scalar = (scalar << 8n) | BigInt(littleEndian[index]!)
  return scalar
}
