import { BundleLine } from './bundle-schema.ts'
import { type Bytes, concat } from './byte-source.ts'
import { maxDepth } from './canonical-json.ts'
import { BadArchive } from './read-zip.ts'

const lineFeed = 0x0a

/** The lines of a text without their ends, of which every one must have one. Throws `BadArchive` for one of more than `most` bytes. */
export async function* linesOf(pieces: AsyncIterable<Bytes>, most: number): AsyncGenerator<Bytes> {
  let begun: Bytes[] = []
  let length = 0
  const grow = (bytes: number) => {
    length += bytes
    if (length > most) throw new BadArchive(`a line has more than ${most} bytes`)
  }
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      grow(end - from)
      yield begun.length > 0 ? concat([...begun, piece.subarray(from, end)]) : piece.subarray(from, end)
      begun = []
      length = 0
      from = end + 1
    }
    if (from === piece.length) continue
    begun.push(piece.subarray(from))
    grow(piece.length - from)
  }
  if (begun.length > 0) throw new BadArchive('the last line has no end')
}

/** An item, or why the line is none. Whether it is in its one form, its text must be compared for. */
export function parseLine(line: Bytes): BundleLine | string {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(line))
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
