/** A text is no whole zlib stream in base64, or a larger one than is allowed. */
export class NotInflated extends Error {}

/** Signs of base64 that are decoded at once; a multiple of four. */
const step = 2 ** 20
/** Bytes that can be added before their sum of sums needs its remainder. */
const adlerStep = 3800

/**
 * The bytes that a zlib stream (RFC 1950) in base64 unpacks to, at most `most` of them. It goes through in pieces, so that whoever else works on
 * this thread gets its turn. Rejects with `NotInflated` for what is not whole, whose checksum differs, or that has bytes behind its end.
 */
export async function inflateBase64(base64: string, most: number): Promise<Uint8Array> {
  const packed = packedBytes(base64)
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const writer = writable.getWriter()
  const written = write().catch(() => undefined) // what it fails for, reading fails for too
  const reader = readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value!)
      size += part.value!.length
      if (size > most) throw new NotInflated(`it unpacks to more than ${most} bytes`)
    }
  } catch (cause) {
    await reader.cancel().catch(() => undefined)
    throw cause instanceof NotInflated ? cause : new NotInflated('it is no whole zlib stream', { cause })
  }
  await written
  if (adler32(parts) !== packed.checksum) throw new NotInflated('its checksum differs, or there are bytes behind its end')
  return joined(parts, size)

  async function write(): Promise<void> {
    for (const bytes of packed.pieces()) await writer.write(bytes)
    await writer.close()
  }
}

/** The raw stream between the two bytes of its header and the four of its checksum. */
function packedBytes(base64: string) {
  const [text, padding] = [base64.trim(), /=*$/.exec(base64.trim())![0].length]
  const length = (text.length / 4) * 3 - padding
  if (text.length % 4 !== 0 || padding > 2 || length < 8) throw new NotInflated('it is no base64, or too short')
  const [head, tail] = [decode(text.slice(0, 4)), decode(text.slice(-8))]
  const header = head[0]! * 256 + head[1]!
  if ((head[0]! & 15) !== 8 || header % 31 !== 0 || (head[1]! & 32) !== 0) throw new NotInflated('it has no header of zlib')
  const checksum = new DataView(tail.buffer).getUint32(tail.length - 4)
  function* pieces(): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = 0; at < text.length; at += step) {
      const bytes = decode(text.slice(at, at + step))
      const first = (at / 4) * 3
      yield bytes.subarray(Math.max(0, 2 - first), Math.max(0, length - 4 - first))
    }
  }
  return { checksum, pieces }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  let binary: string
  try {
    binary = atob(base64)
  } catch (cause) {
    throw new NotInflated('it is no base64', { cause })
  }
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

function adler32(parts: readonly Uint8Array[]): number {
  let [low, high] = [1, 0]
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const end = Math.min(part.length, at + adlerStep)
      while (at < end) {
        low += part[at++]!
        high += low
      }
      low %= 65_521
      high %= 65_521
    }
  }
  return high * 65_536 + low
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
