export type Bytes = Uint8Array<ArrayBuffer>

/** Bytes that can be read at any place: a file, a Blob, a buffer. `read` gives exactly those from `from` up to `to`, or throws. */
export type ByteSource = { readonly size: number; read(from: number, to: number): Promise<Bytes> }

export function bytesSource(bytes: Uint8Array): ByteSource {
  const whole = bytes as Bytes // nobody here hands in shared memory
  return { size: whole.length, read: async (from, to) => whole.subarray(from, to) }
}

type BlobLike = { readonly size: number; slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> } }

/** A file that a browser or a form holds. */
export function blobSource(blob: BlobLike): ByteSource {
  return { size: blob.size, read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()) }
}

const step = 2 ** 18

/** A stretch of a source, piece by piece. */
export async function* piecesOf(source: ByteSource, from: number, to: number): AsyncGenerator<Bytes> {
  for (let at = from; at < to; at += step) yield await source.read(at, Math.min(to, at + step))
}

/** The same source, telling `hear` after each read how many bytes were read in all. */
export function counted(source: ByteSource, hear: (bytes: number) => void): ByteSource {
  let bytes = 0
  return {
    size: source.size,
    async read(from, to) {
      const read = await source.read(from, to)
      bytes += read.length
      hear(bytes)
      return read
    },
  }
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
