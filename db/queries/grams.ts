import { storableText } from '../storable.ts'

const bits = 4096
/** In UTF-8. A text this short stands in its row beside the snippet; looking into it costs less than its marks would, and writing them as much as the text. */
const mostInRow = 1600
const encoder = new TextEncoder()

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Marks of every group of three neighbouring UTF-16 units of a text, as a `bit (4096)` of PostgreSQL in its hexadecimal form; null for a
 * short text. A text that holds another has all of that one's marks (a Bloom filter with one hash); the reverse must be looked up.
 */
export function gramsOf(text: string): string | null {
  if (text.length > mostInRow) return mark(text)
  return 3 * text.length <= mostInRow || encoder.encode(text).length <= mostInRow ? null : mark(text) // a UTF-16 unit takes three bytes at most
}

/** The marks that a text must have to hold `part`. */
export function gramsWithin(part: string): string {
  return mark(storableText(part))
}

function mark(text: string): string {
  const marks = new Uint8Array(bits / 8)
  let first = text.charCodeAt(0)
  let second = text.charCodeAt(1)
  for (let index = 2; index < text.length; index++) {
    const third = text.charCodeAt(index)
    const place = Math.imul((first * 31 + second) * 31 + third, 0x9e3779b1) >>> 20
    marks[place >> 3]! |= 128 >> (place & 7)
    first = second
    second = third
  }
  let written = 'x'
  for (const byte of marks) written += hex[byte]
  return written
}
