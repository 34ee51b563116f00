import { Inflate } from 'fflate'
import type { Bytes } from './byte-source.ts'
import { crc32 } from './crc32.ts'
import { BadArchive } from './zip-directory.ts'

type Packed = { name: string; size: number; crc: number }

/** A member in memory, as large as it says, with its CRC, and with nothing behind the end of its deflate stream. Throws `BadArchive`. */
export function inflateWhole(packed: Bytes, { name, size, crc }: Packed): Bytes {
  const out = new Uint8Array(size)
  const filled = inflateInto(packed, out, name)
  if (filled !== size || crc32(out) !== crc) throw new BadArchive(`${name} is damaged (size or CRC)`)
  // A deflate stream that is still complete without its last byte hides bytes behind its end.
  if (endsEarly(packed)) throw new BadArchive(`${name} has bytes behind its end`)
  return out
}

const step = 16_384

/** Inflates in small steps, so that at most 16 MiB beyond the declared size are ever made. */
function inflateInto(packed: Uint8Array, out: Uint8Array, name: string): number {
  let filled = 0
  const stream = new Inflate((chunk) => {
    if (filled + chunk.length > out.length) throw new BadArchive(`${name} is larger than it says`)
    out.set(chunk, filled)
    filled += chunk.length
  })
  pushAll(stream, packed, name)
  return filled
}

function endsEarly(packed: Uint8Array): boolean {
  try {
    pushAll(new Inflate(() => {}), packed.subarray(0, -1), '')
    return true
  } catch {
    return false
  }
}

function pushAll(stream: Inflate, packed: Uint8Array, name: string): void {
  try {
    if (packed.length === 0) throw new BadArchive(`${name} is empty`)
    for (let at = 0; at < packed.length; at += step) stream.push(packed.subarray(at, at + step), at + step >= packed.length)
  } catch (cause) {
    if (cause instanceof BadArchive) throw cause
    throw new BadArchive(`${name} cannot be unpacked`, { cause })
  }
}
