import type { ByteSource, Bytes } from './byte-source.ts'
import { marks } from './zip-records.ts'

/** An archive that two readers could understand differently, or that is larger than allowed. */
export class BadArchive extends Error {}

/**
 * What the directory says of a member. `described`: its sizes stand behind it; `wide`: there in 64 bits. `fixed` are the bytes that the local
 * header repeats.
 */
export type DirectoryEntry = {
  name: string
  offset: number
  stored: boolean
  described: boolean
  wide: boolean
  fixed: Bytes
  crc: number
  packed: number
  size: number
}

const longestName = 80
const most32 = 0xffffffff

/** The directory at the end of an archive, and where it begins. Throws `BadArchive`. */
export async function readDirectory(source: ByteSource, most: number): Promise<{ entries: DirectoryEntry[]; start: number }> {
  const { count, start, end } = await readEnd(source)
  if (count > most) throw new BadArchive(`more than ${most} members`)
  if (end - start > count * (46 + longestName + 28)) throw new BadArchive('the directory is longer than its members')
  const bytes = await source.read(start, end)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: DirectoryEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== marks.directory) throw new BadArchive('the directory is damaged')
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    if (at + 46 + nameLength + extraLength > bytes.length) throw new BadArchive('the directory is damaged')
    entries.push(readEntry(bytes.subarray(at, at + 46 + nameLength + extraLength), nameLength))
    at += 46 + nameLength + extraLength
  }
  if (at !== bytes.length) throw new BadArchive('the directory is longer than its members')
  return { entries, start }
}

/** The end record, and the wider one before it where 32 bits do not do. */
async function readEnd(source: ByteSource): Promise<{ count: number; start: number; end: number }> {
  const at = source.size - 22
  const from = Math.max(0, at - 76)
  const bytes = await source.read(from, source.size)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const last = at - from
  if (at < 0 || view.getUint32(last, true) !== marks.end) throw new BadArchive('it does not end in a ZIP end record without comment')
  const told = { count: view.getUint16(last + 10, true), size: view.getUint32(last + 12, true), start: view.getUint32(last + 16, true) }
  const bad = new BadArchive('the end record does not fit the file')
  const plain =
    view.getUint32(last + 4, true) === 0 && view.getUint16(last + 8, true) === told.count && view.getUint16(last + 20, true) === 0
  if (!plain) throw bad
  if (told.count < 0xffff && told.size < most32 && told.start < most32) {
    if (told.start + told.size !== at) throw bad
    return { count: told.count, start: told.start, end: at }
  }
  const wide = last - 76
  if (wide < 0 || view.getUint32(wide, true) !== marks.end64 || view.getUint32(wide + 56, true) !== marks.locator) throw bad
  const number = (offset: number) => Number(view.getBigUint64(wide + offset, true))
  const [count, size, start] = [number(32), number(40), number(48)]
  const fits =
    number(4) === 44 &&
    view.getUint32(wide + 12, true) === 0x2d002d &&
    view.getUint32(wide + 16, true) === 0 &&
    view.getUint32(wide + 20, true) === 0 &&
    number(24) === count &&
    view.getUint32(wide + 60, true) === 0 &&
    number(64) === at - 76 &&
    view.getUint32(wide + 72, true) === 1
  const repeats = told.count === Math.min(count, 0xffff) && told.size === Math.min(size, most32) && told.start === Math.min(start, most32)
  if (!fits || !repeats || start + size !== at - 76) throw bad
  return { count, start, end: at - 76 }
}

function readEntry(bytes: Bytes, nameLength: number): DirectoryEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [version, flags, method] = [view.getUint16(6, true), view.getUint16(8, true), view.getUint16(10, true)]
  if (flags !== 0 && flags !== 8) throw new BadArchive('a member is encrypted or flagged')
  if (version !== 20 && version !== 45) throw new BadArchive('a member needs another version of ZIP')
  const stored = version === 45 && method === 0 && flags === 0
  if (method !== 8 && !stored) throw new BadArchive('a member is not deflated')
  const extraLength = bytes.length - 46 - nameLength
  if (view.getUint16(32, true) !== 0 || view.getUint16(34, true) !== 0 || (extraLength > 0 && version !== 45)) {
    throw new BadArchive('a member has extra fields, a comment or another disk')
  }
  const kind = view.getUint32(38, true) >>> 28
  if (kind !== 0 && kind !== 8) throw new BadArchive('a member is not a plain file')
  if (nameLength === 0 || nameLength > longestName) throw new BadArchive('a member has no usable name')
  const [size, packed, offset] = readSizes(view, 46 + nameLength, extraLength)
  if (stored && packed !== size) throw new BadArchive('a stored member has two sizes')
  return {
    name: String.fromCharCode(...bytes.subarray(46, 46 + nameLength)),
    offset,
    stored,
    described: flags === 8,
    wide: version === 45 && flags === 8,
    fixed: bytes.subarray(6, 32),
    crc: view.getUint32(16, true),
    packed,
    size,
  }
}

/** Sizes and place, from the extra field where 32 bits do not do; it holds those values and nothing else. */
function readSizes(view: DataView, extraAt: number, extraLength: number): [size: number, packed: number, offset: number] {
  // A header of four bytes and one value of eight at least.
  if (extraLength > 0 && extraLength < 12) throw new BadArchive('a member has an extra field that does not fit')
  let at = extraAt + 4
  const read = [24, 20, 42].map((place) => {
    const told = view.getUint32(place, true)
    if (extraLength === 0 || told !== most32) return told
    if (at + 8 > extraAt + extraLength) throw new BadArchive('a member has an extra field that does not fit')
    const value = Number(view.getBigUint64(at, true))
    at += 8
    if (value < most32 || !Number.isSafeInteger(value)) throw new BadArchive('a member has an extra field that does not fit')
    return value
  })
  if (extraLength === 0) return [read[0]!, read[1]!, read[2]!] // `map` over three
  const named = view.getUint16(extraAt, true) === 1 && view.getUint16(extraAt + 2, true) === extraLength - 4
  if (!named || at === extraAt + 4 || at !== extraAt + extraLength) throw new BadArchive('a member has an extra field that does not fit')
  return [read[0]!, read[1]!, read[2]!]
}
