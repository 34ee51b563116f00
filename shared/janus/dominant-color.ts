/** Pixels that are looked at, at most: larger pictures are not told. */
const mostPixels = 16_000_000
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * The colour that covers most of a PNG, by hue: red, orange, yellow, green, blue, purple, black, white or grey. Null where it is interlaced, has other than
 * 8 bits a channel, is too large, or cannot be unpacked.
 */
export async function dominantColor(bytes: Uint8Array): Promise<string | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height, depth, type, interlaced] = [view.getUint32(16), view.getUint32(20), bytes[24], bytes[25]!, bytes[28]]
  const channels = channelsOf[type]
  if (!channels || depth !== 8 || interlaced !== 0 || width * height > mostPixels || width * height === 0) return null
  const { packed, palette } = chunksOf(bytes, view)
  const lines = await inflate(packed, height * (width * channels + 1))
  return lines && mostOf(unfiltered(lines, width * channels, height, channels), type, channels, palette)
}

function chunksOf(bytes: Uint8Array, view: DataView): { packed: Uint8Array[]; palette: Uint8Array } {
  const packed: Uint8Array[] = []
  let palette = new Uint8Array()
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const name = view.getUint32(at + 4)
    const body = bytes.slice(at + 8, at + 8 + length)
    if (name === 0x49444154) packed.push(body)
    if (name === 0x504c5445) palette = body
    at += 12 + length
  }
  return { packed, palette }
}

/** The zlib stream unpacked without its header and checksum, or null where it is not whole or has another size. */
async function inflate(parts: readonly Uint8Array[], size: number): Promise<Uint8Array | null> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  if (whole.length < 7) return null
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const writer = writable.getWriter()
  const write = async () => {
    await writer.write(whole.slice(2, -4))
    await writer.close()
  }
  const written = write().catch(() => undefined) // what it fails for, reading fails for too
  const out = new Uint8Array(size)
  const reader = readable.getReader()
  let filled = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (filled + part.value!.length > size) return null
      out.set(part.value!, filled)
      filled += part.value!.length
    }
  } catch {
    return null
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  await written
  return filled === size ? out : null
}

/** The lines without their filters (PNG, section 9). */
function unfiltered(lines: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? out[y * stride + x - channels]! : 0
      const up = y > 0 ? out[(y - 1) * stride + x]! : 0
      const corner = x >= channels && y > 0 ? out[(y - 1) * stride + x - channels]! : 0
      const added = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : filter === 4 ? nearest(left, up, corner) : 0
      out[y * stride + x] = lines[y * (stride + 1) + 1 + x]! + added
    }
  }
  return out
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function mostOf(pixels: Uint8Array, type: number, channels: number, palette: Uint8Array): string | null {
  const counts = new Map<string, number>()
  for (let at = 0; at < pixels.length; at += channels) {
    const entry = type === 3 ? pixels[at]! * 3 : at
    const source = type === 3 ? palette : pixels
    const grey = type === 0 || type === 4
    const name = colorName(source[entry] ?? 0, source[grey ? entry : entry + 1] ?? 0, source[grey ? entry : entry + 2] ?? 0)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

const hues: readonly [below: number, name: string][] = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [170, 'green'],
  [260, 'blue'],
  [335, 'purple'],
  [361, 'red'],
]

/** The name of a colour of three channels from 0 to 255. */
export function colorName(red: number, green: number, blue: number): string {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const spread = most - least
  if (most < 50) return 'black'
  if (spread < 30 || spread / most < 0.18) return least > 200 ? 'white' : most < 60 ? 'black' : 'grey'
  const sixth = most === red ? (green - blue) / spread : most === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread
  const hue = (sixth * 60 + 360) % 360
  return hues.find(([below]) => hue < below)![1]
}
