import { open } from 'node:fs/promises'
import type { ByteSource } from '#shared/export/byte-source.ts'

/** A file as something to read at any place. Throws the error of the file system, also for a file that grew shorter. */
export async function openFileSource(path: string): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  return {
    size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from)
      for (let filled = 0; filled < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled)
        if (bytesRead === 0) throw new Error(`${path} ends before its ${size} bytes`)
        filled += bytesRead
      }
      return bytes
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
