import { Deflate } from 'fflate'
import type { Bytes } from './byte-source.ts'

type Transform = {
  readonly readable: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> } }
  readonly writable: { getWriter(): { write(chunk: Bytes): Promise<void>; close(): Promise<void>; abort(reason: unknown): Promise<void> } }
}

/** What cannot be inflated. */
export class BadDeflate extends Error {}

/**
 * Packs with the same code on every platform, so that the same contents give the same bytes: a download that goes on gets what it began with.
 * Not the platform's own stream: workerd's holds on to all that has passed through it.
 */
export async function* deflate(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const made: Bytes[] = []
  const stream = new Deflate({ level: 2, mem: 8 }, (chunk) => {
    if (chunk.length > 0) made.push(chunk as Bytes) // a slice of its own
  })
  for await (const piece of source) {
    stream.push(piece)
    yield* made.splice(0)
  }
  stream.push(new Uint8Array(), true)
  yield* made
}

/** Unpacks with the platform's own inflate, as fast as it is read; pieces need be good until the next only. Throws `BadDeflate`; errors of the source pass through. */
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
      // A copy: platforms may look at it after they say that they took it.
      await writer.write(next.value.slice())
    }
    await writer.close()
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined)
    await pieces.return?.()
  }
}
