import { unzipSync } from 'fflate'
import { datasetError } from './dataset-error.ts'

const MAX_UNPACKED = 2 * 2 ** 30

export type ZipMember = { name: string; bytes: Uint8Array }

/**
 * Files of an archive in its order, names in NFC; only `member` when it is given (then exactly one). Names are read as UTF-8 also where the archive
 * does not say so, as the AA-LCR archive does not. Throws `dataset/bad-record` for a broken archive or a missing member.
 */
export function readZip(bytes: Uint8Array, archive: string, member: string | null): ZipMember[] {
  const wanted = member?.normalize('NFC')
  const members = readZipMembers(bytes, archive, (name) => wanted === undefined || name === wanted)
  if (wanted !== undefined && members.length !== 1) throw datasetError('bad-record', `${archive}: the archive has no file ${wanted}`)
  return members
}

/** As `readZip`, of the files whose name `isWanted`; no other is unpacked. */
export function readZipMembers(bytes: Uint8Array, archive: string, isWanted: (name: string) => boolean): ZipMember[] {
  let unpacked = 0
  const filter = (file: { name: string; originalSize: number }) => {
    const name = memberName(file.name)
    if (name.endsWith('/') || !isWanted(name)) return false
    unpacked += file.originalSize
    if (unpacked > MAX_UNPACKED) throw new RangeError(`unpacks to more than ${MAX_UNPACKED} bytes`)
    return true
  }
  try {
    return Object.entries(unzipSync(bytes, { filter })).map(([name, content]) => ({ name: memberName(name), bytes: content }))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown'
    throw datasetError('bad-record', `${archive}: not a readable zip archive (${why})`, { cause })
  }
}

/** fflate reads an unflagged name byte by byte; if those bytes are UTF-8, that is what the writer meant. */
function memberName(name: string): string {
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0))
  const oneByte = [...name].every((character) => character.charCodeAt(0) < 256)
  if (!oneByte) return name.normalize('NFC')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).normalize('NFC')
  } catch {
    return name.normalize('NFC')
  }
}
