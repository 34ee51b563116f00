import type { Bytes } from './byte-source.ts'
import { concat } from './byte-source.ts'

/** A member as its headers describe it. Stored members have their sizes in front, deflated ones behind (a data descriptor). */
export type ZipEntry = { name: string; at: number; stored: boolean; crc: number; packed: number; size: number }

type Field = readonly [value: number, bytes: 2 | 4 | 8]
const most16 = 0xffff
const most32 = 0xffffffff
/** 4.5: the first version of ZIP with sizes of 64 bits. */
const version = 45

export const marks = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  directory: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
} as const

/** Bytes in front of a member's contents, and behind them. */
export const headBytes = ({ name, stored }: ZipEntry): number => 30 + name.length + (stored ? 0 : 20)
export const footBytes = ({ stored }: ZipEntry): number => (stored ? 0 : 24)

/** The header in front of a member's contents: no dates, no attributes; of a deflated one it says that sizes come behind, in 64 bits. */
export function localHeader(entry: ZipEntry): Bytes {
  const sizes: Field[] = entry.stored ? [[entry.crc, 4], [entry.packed, 4], [entry.size, 4]] : [[0, 4], [most32, 4], [most32, 4]] // biome-ignore format: one header, one line
  const extra: Field[] = entry.stored ? [] : [[1, 2], [16, 2], [0, 8], [0, 8]] // biome-ignore format: one header, one line
  return record([[marks.local, 4], ...methodOf(entry), ...sizes, [entry.name.length, 2], [extra.length > 0 ? 20 : 0, 2]], entry.name, extra)
}

/** What stands behind a member's contents; nothing behind a stored one. */
export function descriptor({ stored, crc, packed, size }: ZipEntry): Bytes {
  return stored ? new Uint8Array() : record([[marks.descriptor, 4], [crc, 4], [packed, 8], [size, 8]]) // biome-ignore format: one record, one line
}

/** The directory of these members, which begins at `start`, and the end of the archive. 64 bits only where 32 do not do. */
export function directoryOf(entries: readonly ZipEntry[], start: number): Bytes {
  const directory = concat(entries.map(directoryEntry))
  const [count, size] = [entries.length, directory.length]
  const end = start + size
  const wide = count >= most16 || size >= most32 || start >= most32
  const end64 = record([[marks.end64, 4], [44, 8], [version, 2], [version, 2], [0, 4], [0, 4], [count, 8], [count, 8], [size, 8], [start, 8]]) // biome-ignore format: one record, one line
  const locator = record([[marks.locator, 4], [0, 4], [end, 8], [1, 4]]) // biome-ignore format: one record, one line
  const least16 = Math.min(count, most16)
  const last = record([[marks.end, 4], [0, 2], [0, 2], [least16, 2], [least16, 2], [Math.min(size, most32), 4], [Math.min(start, most32), 4], [0, 2]]) // biome-ignore format: one record, one line
  return concat([directory, ...(wide ? [end64, locator] : []), last])
}

function directoryEntry(entry: ZipEntry): Bytes {
  const { name, at, crc, packed, size } = entry
  const wide = [size, packed, at].filter((value) => value >= most32).map((value): Field => [value, 8])
  const extra: Field[] = wide.length > 0 ? [[1, 2], [wide.length * 8, 2], ...wide] : [] // biome-ignore format: one header, one line
  const sizes: Field[] = [[crc, 4], [Math.min(packed, most32), 4], [Math.min(size, most32), 4]] // biome-ignore format: one header, one line
  const rest: Field[] = [[name.length, 2], [wide.length > 0 ? 4 + wide.length * 8 : 0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [Math.min(at, most32), 4]] // biome-ignore format: one header, one line
  return record([[marks.directory, 4], [version, 2], ...methodOf(entry), ...sizes, ...rest], name, extra)
}

/** Version needed, flags, method, and 1980-01-01 00:00. */
const methodOf = ({ stored }: ZipEntry): Field[] => [[version, 2], [stored ? 0 : 8, 2], [stored ? 0 : 8, 2], [0, 2], [0x21, 2]] // biome-ignore format: one header, one line

function record(fields: readonly Field[], name = '', extra: readonly Field[] = []): Bytes {
  const lengthOf = (list: readonly Field[]) => list.reduce((sum, [, bytes]) => sum + bytes, 0)
  const bytes = new Uint8Array(lengthOf(fields) + name.length + lengthOf(extra))
  const view = new DataView(bytes.buffer)
  let at = 0
  const write = ([value, size]: Field) => {
    if (size === 2) view.setUint16(at, value, true)
    else if (size === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += size
  }
  for (const field of fields) write(field)
  bytes.set(new TextEncoder().encode(name), at)
  at += name.length
  for (const field of extra) write(field)
  return bytes
}
