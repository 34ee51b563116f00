/** Bytes as they come from a file or an archive, in order. */
export type Chunks = AsyncIterable<Uint8Array>

/** A line without its line feed, and where it stands in the file. */
export type Line = { bytes: Uint8Array; start: number; end: number }

/** A line is longer than a text may be. */
export class LineTooLong extends Error {}

/** The lines of a file of any size, of which one at a time is held. Throws `LineTooLong` beyond `mostBytes`. */
export async function* byteLines(chunks: Chunks, mostBytes: number): AsyncGenerator<Line> {
  let start = 0
  let parts: Uint8Array[] = []
  let held = 0
  const take = (last: Uint8Array): Line => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last])
    parts = []
    held = 0
    if (bytes.length > mostBytes) throw new LineTooLong()
    const line = { bytes, start, end: start + bytes.length }
    start = line.end + 1
    return line
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield take(chunk.subarray(from, end))
      from = end + 1
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    held += chunk.length - from
    if (held > mostBytes) throw new LineTooLong()
  }
  if (held > 0) yield take(new Uint8Array())
}
