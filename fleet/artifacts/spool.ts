import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ArtifactBody } from '#shared/solvers/kit.ts'
import { storeFailure } from './store-failure.ts'

/** Bytes with their hash (lower-case hex) and their number, to be read as often as they are sent. Disposing of it gives up the place they took. */
export type Spooled = { sha256: string; bytes: number; read(): Uint8Array | AsyncIterable<Uint8Array> } & AsyncDisposable

/** What was spooled cannot be read back. */
export class SpoolUnreadable extends Error {}

const pieceBytes = 64 * 1024

/**
 * Takes a body in whole, so that its hash and length are known before the first byte is sent. Bytes at hand stay where they are. What is made
 * while it is written goes to a file below `dir` that only its owner can read and that has no name any more once it is open: nothing is left
 * of it when the process ends, however it ends. What the body itself throws passes through; a full disk is a failure of the agent.
 */
export async function spool(body: ArtifactBody, dir: string): Promise<Outcome<Spooled>> {
  if (body instanceof Uint8Array) {
    const sha256 = createHash('sha256').update(body).digest('hex')
    return { ok: true, value: { sha256, bytes: body.length, read: () => body, [Symbol.asyncDispose]: async () => undefined } }
  }
  const file = await onDisk(() => openNameless(dir))
  if (!file.ok) return file
  const close = (): Promise<void> => file.value.close()
  try {
    const written = await writeHashed(file.value, body)
    if (!written.ok) await close()
    return written.ok
      ? { ok: true, value: { ...written.value, read: () => piecesOf(file.value, written.value.bytes), [Symbol.asyncDispose]: close } }
      : written
  } catch (error) {
    await close()
    throw error
  }
}

/** Writes a body to an open file and says what went there. */
export async function writeHashed(file: FileHandle, body: ArtifactBody): Promise<Outcome<{ sha256: string; bytes: number }>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of body instanceof Uint8Array ? [body] : body) {
    hash.update(piece)
    const written = await onDisk(() => writeWhole(file, piece))
    if (!written.ok) return written
    bytes += piece.length
  }
  return { ok: true, value: { sha256: hash.digest('hex'), bytes } }
}

/** What the file system refuses as a failure: nothing of the trial is wrong, and another agent may have room. */
export async function onDisk<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return {
        ok: false,
        failure: { at: 'agent', reason: 'disk-full', retryable: true, status: null, detail: `No room to keep an artifact (${code}).` },
      }
    return storeFailure('unavailable', true, `An artifact could not be written here (${code}).`)
  }
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
}

async function openNameless(dir: string): Promise<FileHandle> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

async function* piecesOf(file: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(pieceBytes, bytes - at)), 0, undefined, at).catch(unreadable)
    if (bytesRead === 0) unreadable()
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function unreadable(cause?: unknown): never {
  throw new SpoolUnreadable('An artifact could not be read back from where it was written here.', { cause })
}
