import type { Bytes } from './byte-source.ts'

type Transform = {
  readonly readable: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> } }
  readonly writable: { getWriter(): { write(chunk: Bytes): Promise<void>; close(): Promise<void>; abort(reason: unknown): Promise<void> } }
}

/** What cannot be inflated. */
export class BadDeflate extends Error {}

/** Packs with the platform's own deflate. */
export function deflate(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  return through(new CompressionStream('deflate-raw'), source)
}

/** Unpacks with the platform's own inflate, as fast as it is read. Throws `BadDeflate`; errors of the source pass through. */
export function inflate(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  return through(new DecompressionStream('deflate-raw'), source)
}

async function* through({ readable, writable }: Transform, source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const reader = readable.getReader()
  let broken: { cause: unknown } | undefined
  const fed = feed(writable.getWriter(), source, (cause) => {
    broken = { cause }
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (value) yield value as Bytes // a stream makes its own buffers
    }
    await fed
  } catch (cause) {
    throw broken ? broken.cause : new BadDeflate('cannot be unpacked', { cause })
  } finally {
    await reader.cancel().catch(() => undefined)
    await fed
  }
}

/** Never rejects: what the stream itself refuses, its reader hears. */
async function feed(
  writer: ReturnType<Transform['writable']['getWriter']>,
  source: AsyncIterable<Bytes>,
  fail: (cause: unknown) => void,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await pieces.next().catch((cause: unknown) => {
        fail(cause)
        throw cause
      })
      if (next.done) break
      await writer.write(next.value)
    }
    await writer.close()
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined)
    await pieces.return?.()
  }
}
