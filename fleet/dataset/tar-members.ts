import { gunzipSync } from 'fflate'
import { datasetError } from './dataset-error.ts'
import type { ZipMember } from './zip-members.ts'

const BLOCK = 512

/** Plain files of a gzipped tar archive (ustar or GNU) in its order. Throws `dataset/bad-record` for what is none. */
export function readTarGz(bytes: Uint8Array, archive: string): ZipMember[] {
  try {
    return [...membersOf(gunzipSync(bytes))]
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown'
    throw datasetError('bad-record', `${archive}: not a readable tar.gz archive (${why})`, { cause })
  }
}

function* membersOf(tar: Uint8Array): Generator<ZipMember> {
  let at = 0
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + BLOCK)
    const size = Number.parseInt(fieldOf(header, 124, 12), 8)
    const start = at + BLOCK
    if (fieldOf(header, 257, 5) !== 'ustar' || !(size >= 0) || start + size > tar.length)
      throw new RangeError(`no file entry at byte ${at}`)
    const kind = fieldOf(header, 156, 1)
    const prefix = fieldOf(header, 257, 6) === 'ustar' ? fieldOf(header, 345, 155) : '' // GNU keeps times there
    const name = `${prefix === '' ? '' : `${prefix}/`}${fieldOf(header, 0, 100)}`
    if (kind === '0' || kind === '') yield { name, bytes: tar.subarray(start, start + size) }
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
}

/** A text field ends at its first zero byte. */
function fieldOf(header: Uint8Array, from: number, length: number): string {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}
