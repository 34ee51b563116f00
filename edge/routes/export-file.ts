import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '#shared/export/bytes.ts'
import type { Deps } from '../deps.ts'

/** A file that can be made again and comes out the same, byte by byte. */
export type ExportFile = {
  name: string
  type: string
  /** Trials in it, for a reader who counts; null where it lists none. */
  trials: number | null
  /** A new pass over the file. Errors of the record pass through. */
  pieces(): AsyncGenerator<Uint8Array>
}

/** A file that was made once, with what is known of it since. `kept` holds its bytes when they are few. */
export type MeasuredFile = { file: ExportFile; bytes: number; sha256: Uint8Array; kept: Uint8Array<ArrayBuffer> | null }

const keepBytes = 8 * 2 ** 20
const shelfBytes = 16 * 2 ** 20
const shelfFiles = 64
const shelfMs = 10 * 60_000

/** Makes a file for its length and SHA-256. Only `most` bytes of it are ever held. */
export async function measureFile(file: ExportFile, { openSha256 }: Pick<Deps, 'openSha256'>, most = keepBytes): Promise<MeasuredFile> {
  const digest = openSha256()
  let kept: Uint8Array[] | null = []
  let bytes = 0
  for await (const piece of file.pieces()) {
    digest.update(piece)
    bytes += piece.length
    if (bytes > most) kept = null
    kept?.push(piece)
  }
  return { file, bytes, sha256: digest.digest(), kept: kept && join(kept, bytes) }
}

/**
 * Files measured within the last ten minutes, by everything their bytes depend on: a download that goes on, or one that was looked at before it
 * was taken, costs no second look through the record. It holds 16 MiB of contents at most.
 */
export function createShelf(deps: Pick<Deps, 'now' | 'openSha256'>) {
  const nowMs = () => deps.now().getTime()
  const shelf = new Map<string, MeasuredFile & { atMs: number }>()
  const drop = () => {
    let bytes = 0
    for (const [identity, { kept, atMs }] of [...shelf].reverse()) {
      bytes += kept?.length ?? 0
      if (bytes > shelfBytes || atMs + shelfMs < nowMs()) shelf.delete(identity)
    }
    for (const identity of [...shelf.keys()].slice(0, -shelfFiles)) shelf.delete(identity)
  }
  return {
    async get(identity: string, open: () => ExportFile | Promise<ExportFile>): Promise<MeasuredFile> {
      drop()
      const before = shelf.get(identity)
      if (before) return before
      const measured = { ...(await measureFile(await open(), deps)), atMs: nowMs() }
      shelf.set(identity, measured)
      drop()
      return measured
    },
  }
}

/** What names a file by what it is made of: the SHA-256 of the parts as JSON. */
export function identityOf(...parts: unknown[]): string {
  return toHex(sha256(new TextEncoder().encode(JSON.stringify(parts))))
}

function join(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
