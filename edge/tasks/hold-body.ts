import { bytesToHex } from '@noble/hashes/utils.js'
import type { ByteSource } from '#shared/export/byte-source.ts'
import { withLength } from '../adapters/fixed-length.ts'
import { type ArtifactBucket, BucketAway, keyOf } from '../artifacts/bucket.ts'
import type { Deps } from '../deps.ts'
import { yieldTurn } from '../yield-turn.ts'

/** Bytes at one object or in memory. A body of at most one part, which nearly every archive of a task is, never leaves memory. */
const partBytes = 8 * 2 ** 20
/** Parts that are held while a body is read: where a reader is, and the directory at the end. */
const partsHeld = 2

/** Work on so many bytes takes a few ms of CPU, and a request for health waits for two or three of them; then others have the thread, of which a Worker has one for all requests. */
const sliceBytes = 2 ** 18

/** Counts bytes that were worked on; the promise, once a slice is full, ends when waiting requests had their turn. */
function createBreather(): (bytes: number) => Promise<void> | undefined {
  let worked = 0
  return (bytes) => {
    worked += bytes
    if (worked < sliceBytes) return undefined
    worked = 0
    return yieldTurn()
  }
}

/** A body that has arrived and can be read at any place. `drop` gives up the room it took. */
export type HeldBody = ByteSource & { sha256: string; stream(): ReadableStream<Uint8Array>; drop(): Promise<void> }

type Needs = Pick<Deps, 'openSha256' | 'newId'> & { artifacts: ArtifactBucket }
type Part = { key: string; bytes: number }

/**
 * Takes a body in, of which a Worker can hold no more than a part: what is more lies in the store of artifacts as of a run that nobody knows, so that the sweep
 * takes away what a request that died has left. Undefined for more than `most` bytes, of which the rest is not read.
 */
export async function holdBody(pieces: AsyncIterable<Uint8Array>, most: number, deps: Needs): Promise<HeldBody | undefined> {
  const { artifacts, openSha256 } = deps
  const hash = openSha256()
  const breathe = createBreather()
  const owner = deps.newId()
  const parts: Part[] = []
  let part = new Uint8Array(0)
  let filled = 0
  let size = 0
  const drop = async (): Promise<void> => {
    if (parts.length > 0) await artifacts.delete(parts.map(({ key }) => key))
  }
  const spill = async (): Promise<void> => {
    const bytes = part.slice(0, filled)
    const named = openSha256()
    named.update(bytes)
    const sha256 = bytesToHex(named.digest())
    // Parts that are alike lie once, under their hash.
    if ((await putBytes(artifacts, keyOf(owner, sha256), bytes, sha256)) !== 'kept') throw new BucketAway('a part arrived with other bytes')
    parts.push({ key: keyOf(owner, sha256), bytes: filled })
    filled = 0
  }
  try {
    for await (const piece of pieces) {
      size += piece.length
      if (size > most) {
        await drop()
        return undefined
      }
      hash.update(piece)
      await breathe(piece.length)
      for (let at = 0; at < piece.length; ) {
        if (filled === partBytes) await spill()
        const room = Math.min(partBytes - filled, piece.length - at)
        part = withRoom(part, filled, filled + room)
        part.set(piece.subarray(at, at + room), filled)
        filled += room
        at += room
      }
    }
  } catch (error) {
    await drop().catch(() => undefined)
    throw error
  }
  const last = part.subarray(0, filled)
  const read = createReader(parts, last, artifacts)
  return { size, read, drop, breathe, sha256: bytesToHex(hash.digest()), stream: () => streamOf(read, size, breathe) }
}

/** The same bytes in a buffer with room for so many; it grows twofold, so that a small body takes little. */
function withRoom(part: Uint8Array<ArrayBuffer>, filled: number, wanted: number): Uint8Array<ArrayBuffer> {
  if (wanted <= part.length) return part
  const grown = new Uint8Array(Math.min(partBytes, Math.max(wanted, part.length * 2, 65_536)))
  grown.set(part.subarray(0, filled))
  return grown
}

function createReader(parts: readonly Part[], last: Uint8Array<ArrayBuffer>, artifacts: ArtifactBucket): ByteSource['read'] {
  const held = new Map<number, Uint8Array<ArrayBuffer>>()
  const partAt = async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    if (index === parts.length) return last
    const known = held.get(index)
    if (known) return known
    const body = await artifacts.open(parts[index]!.key)
    if (!body) throw new BucketAway('a part of the body is gone')
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    if (held.size >= partsHeld) held.delete(held.keys().next().value!)
    held.set(index, bytes)
    return bytes
  }
  return async (from, to) => {
    const first = Math.floor(from / partBytes)
    if (to <= (first + 1) * partBytes) return (await partAt(first)).subarray(from - first * partBytes, to - first * partBytes)
    const joined = new Uint8Array(to - from)
    for (let at = from; at < to; ) {
      const index = Math.floor(at / partBytes)
      const end = Math.min(to, (index + 1) * partBytes)
      joined.set((await partAt(index)).subarray(at - index * partBytes, end - index * partBytes), at - from)
      at = end
    }
    return joined
  }
}

const pieceBytes = 2 ** 18

function streamOf(
  read: ByteSource['read'],
  size: number,
  breathe: (bytes: number) => Promise<void> | undefined,
): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at >= size) return controller.close()
      const to = Math.min(size, at + pieceBytes)
      controller.enqueue((await read(at, to)).slice())
      await breathe(to - at)
      at = to
    },
  })
}

/** Puts a body whose length is known: the store takes no other. */
export async function putBytes(artifacts: ArtifactBucket, key: string, bytes: Uint8Array, sha256: string): Promise<'kept' | 'other bytes'> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body!
  return artifacts.put(key, withLength(stream, bytes.length), { sha256, media_type: 'application/octet-stream' })
}
