import type { OpenSha256 } from './running-sha256.ts'

/** FIPS 180-4, 4.2.2: the first 32 bits of the fractions of the cube roots of the first 64 primes. */
const constants = Int32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)))
/** 5.3.3: the same of the square roots of the first eight. */
const start = Int32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)))
const schedule = new Int32Array(64)

/**
 * The running SHA-256 (FIPS 180-4) that runs anywhere. Its state are 32-bit integers in a typed array: as fields of an object, which is how
 * noble has them, they take V8 with compressed pointers, as browsers have it, more than twice as long.
 */
export const openPlain: OpenSha256 = () => {
  const state = start.slice()
  const rest = new Uint8Array(64)
  let held = 0
  let length = 0
  return {
    update(bytes) {
      let at = 0
      length += bytes.length
      if (held > 0) {
        at = Math.min(64 - held, bytes.length)
        for (let index = 0; index < at; index++) rest[held + index] = bytes[index]!
        held += at
        if (held < 64) return
        compress(state, rest, 0, 64)
        held = 0
      }
      const end = bytes.length - ((bytes.length - at) % 64)
      compress(state, bytes, at, end)
      for (at = end; at < bytes.length; at++) rest[held++] = bytes[at]!
    },
    digest() {
      rest[held++] = 0x80
      rest.fill(0, held)
      if (held > 56) {
        compress(state, rest, 0, 64)
        rest.fill(0)
      }
      // The length in bits, of which a number holds 53.
      for (let at = 63, bits = length * 8; at >= 56; at--, bits = Math.floor(bits / 256)) rest[at] = bits % 256
      compress(state, rest, 0, 64)
      const digest = new Uint8Array(32)
      for (let index = 0; index < 32; index++) digest[index] = state[index >> 2]! >>> (24 - 8 * (index & 3))
      return digest
    },
  }
}

/** Whole blocks of `bytes`, 6.2.2. */
function compress(state: Int32Array, bytes: Uint8Array, from: number, to: number): void {
  const w = schedule
  for (let at = from; at < to; at += 64) {
    for (let i = 0, byte = at; i < 16; i++, byte += 4)
      w[i] = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[i] = ((s0 + w[i - 7]!) | 0) + ((s1 + w[i - 16]!) | 0)
    }
    let a = state[0]!
    let b = state[1]!
    let c = state[2]!
    let d = state[3]!
    let e = state[4]!
    let f = state[5]!
    let g = state[6]!
    let h = state[7]!
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (((((h + s1) | 0) + (g ^ (e & (f ^ g)))) | 0) + ((constants[i]! + w[i]!) | 0)) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    state[0] = state[0]! + a
    state[1] = state[1]! + b
    state[2] = state[2]! + c
    state[3] = state[3]! + d
    state[4] = state[4]! + e
    state[5] = state[5]! + f
    state[6] = state[6]! + g
    state[7] = state[7]! + h
  }
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next++) if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  return primes
}

/** The first 32 bits behind the point; a double has as many and more of such roots. */
function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32)
}
