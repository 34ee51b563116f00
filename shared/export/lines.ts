import { BundleLine } from './bundle-schema.ts'
import type { Bytes } from './byte-source.ts'
import { maxDepth } from './canonical-json.ts'
import { BadArchive } from './read-zip.ts'

const lineFeed = 0x0a

/**
 * The lines of a text without their ends, of which every one must have one. A line is good until the next is asked for. Throws `BadArchive` for
 * one of more than `most` bytes.
 */
export async function* linesOf(pieces: AsyncIterable<Bytes>, most: number): AsyncGenerator<Bytes> {
  let begun: Bytes = new Uint8Array(2 ** 16)
  let length = 0
  const check = (bytes: number) => {
    if (bytes > most) throw new BadArchive(`a line has more than ${most} bytes`)
  }
  const begin = (part: Bytes): Bytes => {
    const longer = length + part.length
    check(longer)
    if (longer > begun.length) {
      const wider = new Uint8Array(Math.max(longer, Math.min(most, 2 * begun.length)))
      wider.set(begun.subarray(0, length))
      begun = wider
    }
    begun.set(part, length)
    length = longer
    return begun.subarray(0, length)
  }
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      const part = piece.subarray(from, end)
      check(part.length)
      yield length > 0 ? begin(part) : part
      length = 0
      from = end + 1
    }
    if (from < piece.length) begin(piece.subarray(from))
  }
  if (length > 0) throw new BadArchive('the last line has no end')
}

/** A mark at the beginning stays: the text must be the same bytes again. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: false })

/** A line's text. */
export const textOf = (line: Bytes): string => decoder.decode(line)

/** An item, or why the line is none. Whether it is in its one form, its text must be compared for. */
export function parseLine(text: string): BundleLine | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  if (isDeeper(value, maxDepth)) return `it nests deeper than ${maxDepth}`
  const item = BundleLine.safeParse(value)
  const issue = item.error?.issues[0]
  return item.success ? item.data : `/${issue?.path.join('/')}: ${issue?.message}`
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}
