/** A picture of indexed colours: one byte for each pixel, line by line. */
export type IndexedPicture = { width: number; height: number; palette: readonly (readonly [number, number, number])[]; pixels: Uint8Array }

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A PNG file of indexed colours; `pack` makes a zlib stream of its lines. */
export function writePng({ width, height, palette, pixels }: IndexedPicture, pack: (lines: Uint8Array) => Uint8Array): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, 3, 0, 0, 0], 8)
  const rows = new Uint8Array((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', pack(rows)),
    chunk('IEND', new Uint8Array()),
  ]
  return joined([signature, ...chunks])
}

/**
 * The zlib stream of so many zeros, by fixed codes (RFC 1951, 3.2.6): a zero, then runs of 258 that repeat the byte before, then the zeros that are left. Such are
 * the lines of a picture of one colour.
 */
export function packZeros({ length }: Uint8Array): Uint8Array {
  const runs = Math.floor((length - 1) / 258)
  const zero = '00110000'
  const bits = `110${zero}${'1100010100000'.repeat(runs)}${zero.repeat(length - 1 - 258 * runs)}0000000`
  const packed = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [place, bit] of [...bits].entries()) if (bit === '1') packed[place >> 3]! |= 1 << (place & 7)
  const sums = length % 65_521
  return joined([Uint8Array.of(0x78, 0x01), packed, bigEndian(sums * 65_536 + 1)])
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = joined([new TextEncoder().encode(name), data])
  return joined([bigEndian(data.length), body, bigEndian(crc32(body))])
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** The check sum of PNG (ISO 3309). */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
