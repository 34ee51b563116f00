import { Deflate } from 'fflate'
import { crc32 } from './crc32.ts'

/** The members of a bundle, in their order. There are no others. */
export const memberNames = ['results.json', 'manifest.json', 'signature.txt', 'public_key.txt'] as const
export type MemberName = (typeof memberNames)[number]

/** How our archives are packed. Part of every manifest: a verifier rebuilds the archive with the same packer and compares bytes. */
export const packer = 'fflate-0.8.3-level-6-mem-8-block-65536'

// Output depends on where blocks are cut and on fflate's version (0.8.3, pinned; a test pins the digest of a known archive).
const blockSize = 65_536
const deflateOptions = { level: 6, mem: 8 } as const

export type ZipWriter = {
  open(name: string): void
  push(bytes: Uint8Array): void
  close(): void
  /** Writes the directory. Returns the size of the archive in bytes. */
  end(): number
}

/**
 * Writes a ZIP archive as a stream: deflate, data descriptors, no dates, no attributes, no extra fields, ZIP32.
 * The bytes given to `emit` depend only on names and contents, never on how contents were cut into pushes.
 */
export function createZip(emit: (chunk: Uint8Array) => void): ZipWriter {
  const directory: Uint8Array[] = []
  let offset = 0
  let member: OpenMember | null = null
  const write = (chunk: Uint8Array) => {
    if (chunk.length === 0) return
    offset += chunk.length
    emit(chunk)
  }
  return {
    open(name) {
      member = openMember(name, offset, write)
      write(record([[0x04034b50, 4], ...commonFields(name, 0, 0, 0)], name))
    },
    push(bytes) {
      member!.push(bytes)
    },
    close() {
      const { name, at, crc, size, packed } = member!.close()
      write(record([0x08074b50, crc, packed, size].map((value) => [value, 4])))
      const attributes: Field[] = [[0, 2], [0, 2], [0, 2], [0, 4], [at, 4]] // biome-ignore format: one header, one line
      directory.push(record([[0x02014b50, 4], [20, 2], ...commonFields(name, crc, packed, size), ...attributes], name))
      member = null
    },
    end() {
      const start = offset
      for (const entry of directory) write(entry)
      const count = directory.length
      write(
        record([
          [0x06054b50, 4],
          [0, 2],
          [0, 2],
          [count, 2],
          [count, 2],
          [offset - start, 4],
          [start, 4],
          [0, 2],
        ]),
      )
      return offset
    },
  }
}

type MemberEnd = { name: string; at: number; crc: number; size: number; packed: number }
type OpenMember = { push(bytes: Uint8Array): void; close(): MemberEnd }

/** Packs one member, always in full blocks but for the last. */
function openMember(name: string, at: number, write: (chunk: Uint8Array) => void): OpenMember {
  const block = new Uint8Array(blockSize)
  const end: MemberEnd = { name, at, crc: 0, size: 0, packed: 0 }
  let filled = 0
  const deflate = new Deflate(deflateOptions, (chunk) => {
    end.packed += chunk.length
    write(chunk)
  })
  const flush = (last: boolean) => {
    const part = block.subarray(0, filled)
    end.crc = crc32(part, end.crc)
    end.size += filled
    filled = 0
    deflate.push(part, last)
  }
  return {
    push(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const taken = bytes.subarray(from, from + blockSize - filled)
        block.set(taken, filled)
        filled += taken.length
        from += taken.length
        if (filled === blockSize) flush(false)
      }
    },
    close() {
      flush(true)
      return end
    },
  }
}

type Field = readonly [value: number, bytes: 2 | 4]

/** Version 2.0, data descriptor, deflate, 1980-01-01 00:00, CRC, sizes, name length, no extra field. */
function commonFields(name: string, crc: number, packed: number, size: number): Field[] {
  return [[20, 2], [8, 2], [8, 2], [0, 2], [0x21, 2], [crc, 4], [packed, 4], [size, 4], [name.length, 2], [0, 2]] // biome-ignore format: one header, one line
}

function record(fields: readonly Field[], name = ''): Uint8Array {
  const length = fields.reduce((sum, [, bytes]) => sum + bytes, 0)
  const bytes = new Uint8Array(length + name.length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  bytes.set(new TextEncoder().encode(name), at)
  return bytes
}

/** Whether `archive` is, byte for byte, what our writer makes of these members in this order. */
export function isOurArchive(archive: Uint8Array, members: readonly { name: string; bytes: Uint8Array }[]): boolean {
  let at = 0
  let same = true
  const zip = createZip((chunk) => {
    for (let index = 0; same && index < chunk.length; index++) same = archive[at + index] === chunk[index]
    at += chunk.length
  })
  for (const { name, bytes } of members) {
    zip.open(name)
    for (let start = 0; same && start < bytes.length; start += blockSize) zip.push(bytes.subarray(start, start + blockSize))
    if (!same) return false
    zip.close()
  }
  return zip.end() === archive.length && same
}
