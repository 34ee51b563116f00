import type { Bytes } from './byte-source.ts'
import { crc32 } from './crc32.ts'
import { deflate } from './deflate.ts'
import { descriptor, directoryOf, localHeader, type ZipEntry } from './zip-records.ts'

export type ArchiveWriter = {
  /** Bytes given out so far. */
  bytes(): number
  /** A member whose size shows at its end. */
  deflated(name: string, contents: AsyncIterable<Bytes>): AsyncGenerator<Bytes>
  /** A member in which each byte is its contents. */
  stored(name: string, contents: Bytes): Bytes[]
  /** The directory. */
  end(): Bytes
}

/**
 * Writes a ZIP archive as a stream in which readers find no second meaning: no dates, attributes or comments; sizes of 64 bits behind deflated
 * members, so that none needs to be known before. Only the directory is held: some hundred bytes a member.
 */
export function openArchive(): ArchiveWriter {
  const entries: ZipEntry[] = []
  let bytes = 0
  const told = (piece: Bytes): Bytes => {
    bytes += piece.length
    return piece
  }
  return {
    bytes: () => bytes,
    async *deflated(name, contents) {
      const entry: ZipEntry = { name, at: bytes, stored: false, crc: 0, packed: 0, size: 0 }
      yield told(localHeader(entry))
      for await (const piece of deflate(inBlocks(seen(contents, entry)))) {
        entry.packed += piece.length
        yield told(piece)
      }
      entries.push(entry)
      yield told(descriptor(entry))
    },
    stored(name, contents) {
      const entry: ZipEntry = { name, at: bytes, stored: true, crc: crc32(contents), packed: contents.length, size: contents.length }
      entries.push(entry)
      return [told(localHeader(entry)), told(contents)]
    },
    end: () => told(directoryOf(entries, bytes)),
  }
}

async function* seen(contents: AsyncIterable<Bytes>, entry: ZipEntry): AsyncGenerator<Bytes> {
  for await (const piece of contents) {
    entry.crc = crc32(piece, entry.crc)
    entry.size += piece.length
    yield piece
  }
}

const blockBytes = 65_536

/** The same bytes in blocks of 64 KiB, but for the last: what is made of them does not depend on how they came. */
export async function* inBlocks(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let block = new Uint8Array(blockBytes)
  let filled = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + blockBytes - filled)
      block.set(part, filled)
      filled += part.length
      from += part.length
      if (filled < blockBytes) continue
      yield block
      block = new Uint8Array(blockBytes)
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}
