import type { AnsweredPicture } from '../contract/evidence/exchange.ts'
import { dominantColor } from './dominant-color.ts'

type Read = NonNullable<AnsweredPicture['read']>

const ascii = (bytes: Uint8Array, from: number, length: number): string => String.fromCharCode(...bytes.subarray(from, from + length))

/** Format and size of a picture as its bytes say (PNG, JPEG, WebP, GIF), of a PNG the colour that covers most of it; null where they are none of these. */
export async function readPicture(bytes: Uint8Array): Promise<Read | null> {
  if (bytes.length < 30) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) === 0x89504e47 && ascii(bytes, 12, 4) === 'IHDR')
    return { format: 'png', width: view.getUint32(16), height: view.getUint32(20), color: await dominantColor(bytes) }
  if (view.getUint16(0) === 0xffd8) return jpegSize(view)
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return webpSize(bytes, view)
  if (ascii(bytes, 0, 4) === 'GIF8') return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true), color: null }
  return null
}

/** The size stands in the first frame header (SOF0 to SOF15 but for tables); segments before it are passed over. */
function jpegSize(view: DataView): Read | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { format: 'jpg', width: view.getUint16(at + 7), height: view.getUint16(at + 5), color: null }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

function webpSize(bytes: Uint8Array, view: DataView): Read | null {
  const kind = ascii(bytes, 12, 4)
  const size = (width: number, height: number): Read => ({ format: 'webp', width, height, color: null })
  if (kind === 'VP8X') return size(1 + (view.getUint32(24, true) & 0xffffff), 1 + (view.getUint16(27, true) | (bytes[29]! << 16)))
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return size(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
  }
  return kind === 'VP8 ' ? size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff) : null
}
