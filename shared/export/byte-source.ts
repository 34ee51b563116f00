export type Bytes = Uint8Array<ArrayBuffer>

/** Bytes that can be read at any place: a file, a Blob, a buffer. `read` gives exactly those from `from` up to `to`, or throws. */
export type ByteSource = {
  readonly size: number
  read(from: number, to: number): Promise<Bytes>
  /** The same as pieces of any size in one buffer; undefined where the platform does not read so. */
  reuse?(from: number, to: number): AsyncIterable<Bytes> | undefined
  /** Hears of work on so many bytes of the source; a promise to wait for lets others have the thread. */
  breathe?(bytes: number): Promise<void> | undefined
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  const whole = bytes as Bytes // nobody here hands in shared memory
  return { size: whole.length, read: async (from, to) => whole.subarray(from, to) }
}

type ByteReader = { read(into: Bytes): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> }
type BlobLike = {
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer>; stream(): { getReader(options: { mode: 'byob' }): ByteReader } }
}

/** A file that a browser or a form holds. */
export function blobSource(blob: BlobLike): ByteSource {
  return {
    size: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
    reuse(from, to) {
      const reader = byteReader(blob.slice(from, to))
      return reader && filled(reader)
    },
  }
}

/** Some browsers' Blobs are no streams of bytes. */
function byteReader(blob: ReturnType<BlobLike['slice']>): ByteReader | undefined {
  try {
    return blob.stream().getReader({ mode: 'byob' })
  } catch {
    return undefined
  }
}

const step = 2 ** 18

async function* filled(reader: ByteReader): AsyncGenerator<Bytes> {
  try {
    for (let room = new ArrayBuffer(step); ; ) {
      const { done, value } = await reader.read(new Uint8Array(room))
      if (done || !value) return
      yield value as Bytes // what was handed in, filled
      room = (value as Bytes).buffer
    }
  } finally {
    await reader.cancel()
  }
}

/**
 * A stretch of a source, piece by piece, each of which is good until the next is asked for. A buffer for each would be garbage that a browser
 * leaves lying by the dozens of megabytes.
 */
export async function* piecesOf(source: ByteSource, from: number, to: number): AsyncGenerator<Bytes> {
  const reused = source.reuse?.(from, to)
  if (reused) yield* reused
  else for (let at = from; at < to; at += step) yield await source.read(at, Math.min(to, at + step))
}

/** The same source, telling `hear` after each read how many bytes were read in all. */
export function counted(source: ByteSource, hear: (bytes: number) => void): ByteSource {
  let bytes = 0
  const count = (read: Bytes): Bytes => {
    bytes += read.length
    hear(bytes)
    return read
  }
  return {
    size: source.size,
    read: async (from, to) => count(await source.read(from, to)),
    reuse(from, to) {
      const pieces = source.reuse?.(from, to)
      return pieces && each(pieces, count)
    },
  }
}

async function* each(pieces: AsyncIterable<Bytes>, see: (piece: Bytes) => Bytes): AsyncGenerator<Bytes> {
  for await (const piece of pieces) yield see(piece)
}

/** Pieces that come to `size` bytes at most, copied into one. */
export async function gather(pieces: AsyncIterable<Bytes>, size: number): Promise<Bytes> {
  const whole = new Uint8Array(size)
  let at = 0
  for await (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole.subarray(0, at)
}

/** Joins pieces into one. */
export function concat(pieces: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
