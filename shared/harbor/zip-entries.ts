import type { ByteSource, Bytes } from '../export/byte-source.ts'
import { marks } from '../export/zip-records.ts'
import { readEntryName, shownName } from './zip-entry-name.ts'
import { RefusedZip, type TaskZipLimits } from './zip-problem.ts'

/** What the directory of an archive says of an entry. `offset`: where its local header stands; `mode`: its permission bits. */
export type ZipEntry = {
  path: string
  folder: boolean
  name: Bytes
  mode: number
  flags: number
  stored: boolean
  crc: number
  packed: number
  size: number
  offset: number
}

const most16 = 0xffff
const most32 = 0xffffffff
const mostDirectory = 2 ** 25
/** Flags that change nothing for a reader: level of packing, sizes behind the contents, names in UTF-8. */
const harmless = 0b1000_0000_1110

/** The entries of an archive by place, and where they end. Archives of common packers are taken, whatever order, dates and extras they have. */
export async function readEntries(source: ByteSource, limits: TaskZipLimits): Promise<{ entries: ZipEntry[]; end: number }> {
  if (source.size > limits.packed_bytes) throw new RefusedZip('too-large', null, `it has more than ${limits.packed_bytes} bytes`)
  const { count, start, end } = await readEnd(source)
  if (count > limits.entries) throw new RefusedZip('too-many-entries', null, `it has more than ${limits.entries} entries`)
  if (end - start > mostDirectory) throw new RefusedZip('too-large', null, 'its directory is larger than any that is needed')
  const bytes = await source.read(start, end)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== marks.directory) throw damagedDirectory()
    const after = at + 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (after > bytes.length) throw damagedDirectory()
    entries.push(readEntry(bytes.subarray(at, after), limits))
    await source.breathe?.(after - at)
    at = after
  }
  if (at !== bytes.length) throw new RefusedZip('ambiguous', null, 'its directory is longer than its entries')
  return { entries: entries.sort((left, right) => left.offset - right.offset), end: start }
}

const damagedDirectory = (): RefusedZip => new RefusedZip('damaged', null, 'its directory is damaged')

/** The end record. Only one may be there that could be meant, and nothing behind its comment. */
async function readEnd(source: ByteSource): Promise<{ count: number; start: number; end: number }> {
  const from = Math.max(0, source.size - 22 - most16 - 76)
  const bytes = await source.read(from, source.size)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: number[] = []
  let marksSeen = 0
  for (let at = bytes.length - 22; at >= 0 && bytes.length - at <= 22 + most16; at--) {
    if (view.getUint32(at, true) !== marks.end) continue
    marksSeen++
    if (at + 22 + view.getUint16(at + 20, true) === bytes.length) found.push(at)
  }
  const [last, other] = found
  if (last === undefined) {
    throw marksSeen > 0
      ? new RefusedZip('ambiguous', null, 'there are bytes behind its end')
      : new RefusedZip('not-a-zip', null, 'it is no ZIP archive')
  }
  if (other !== undefined) throw new RefusedZip('ambiguous', null, 'it has more than one end')
  const told = { count: view.getUint16(last + 10, true), size: view.getUint32(last + 12, true), start: view.getUint32(last + 16, true) }
  if (view.getUint32(last + 4, true) !== 0 || view.getUint16(last + 8, true) !== told.count) {
    throw new RefusedZip('unsupported', null, 'it is one part of a divided archive')
  }
  const wide = last >= 76 && view.getUint32(last - 20, true) === marks.locator ? readWideEnd(view, last, from) : undefined
  const end = from + last - (wide ? 76 : 0)
  const { count, size, start } = wide ?? told
  const agrees =
    !wide ||
    [
      told.count === most16 || told.count === count,
      told.size === most32 || told.size === size,
      told.start === most32 || told.start === start,
    ].every(Boolean)
  if (!agrees || start + size !== end) throw new RefusedZip('ambiguous', null, 'its directory is not where its end says')
  return { count, start, end }
}

function readWideEnd(view: DataView, last: number, from: number): { count: number; size: number; start: number } {
  const at = last - 76
  const number = (offset: number) => Number(view.getBigUint64(at + offset, true))
  if (view.getUint32(at, true) !== marks.end64 || number(4) !== 44 || number(64) !== from + at || number(24) !== number(32)) {
    throw new RefusedZip('ambiguous', null, 'its two ends do not fit')
  }
  return { count: number(32), size: number(40), start: number(48) }
}

function readEntry(bytes: Bytes, limits: TaskZipLimits): ZipEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [nameLength, extraLength] = [view.getUint16(28, true), view.getUint16(30, true)]
  const name = bytes.subarray(46, 46 + nameLength)
  const { path, folder } = readEntryName(name, limits)
  const [flags, method] = [view.getUint16(8, true), view.getUint16(10, true)]
  if (flags & 0x2041 || method === 99) throw new RefusedZip('encrypted', path, 'it is encrypted: pack without a password')
  if (flags & ~harmless) throw new RefusedZip('unsupported', path, `it has flags (0x${flags.toString(16)}) that are not known here`)
  if (method !== 0 && method !== 8) throw new RefusedZip('unsupported', path, `it is packed by method ${method}: pack with deflate`)
  const extras = readExtras(bytes.subarray(46 + nameLength, 46 + nameLength + extraLength), path)
  checkOtherName(extras, name, path)
  const [size, packed, offset] = readSizes(view, extras.get(1), path)
  if (view.getUint16(34, true) !== 0) throw new RefusedZip('unsupported', path, 'it lies in another part of a divided archive')
  const mode = readMode(view, path, folder)
  if (folder && size !== 0) throw new RefusedZip('damaged', path, 'it is a folder and has contents')
  if (method === 0 && size !== packed) throw new RefusedZip('damaged', path, 'it is not packed and has two sizes')
  return { path, folder, name, mode, flags, stored: method === 0, crc: view.getUint32(16, true), packed, size, offset }
}

/** Permission bits from the attributes that Unix packers write; a plain file's where another system packed. */
function readMode(view: DataView, path: string, folder: boolean): number {
  const attributes = view.getUint32(38, true)
  const unix = [3, 19].includes(view.getUint8(5))
  const [kind, bits] = [attributes >>> 28, (attributes >>> 16) & 0xfff]
  if (kind === 10) throw new RefusedZip('link', path, 'it is a symbolic link: pack what it points to')
  if (unix && kind !== 0 && kind !== (folder ? 4 : 8))
    throw new RefusedZip('special-file', path, folder ? 'it ends in / and is no folder' : 'it is no plain file')
  if (unix && bits & 0o6000) throw new RefusedZip('special-file', path, 'it would run as another user (setuid or setgid)')
  if (!unix && !folder && attributes & 0x10) throw new RefusedZip('special-file', path, 'it is a folder whose name does not end in /')
  const permissions = bits & 0o777
  return unix && permissions !== 0 ? permissions : folder ? 0o755 : 0o644
}

/** Extra fields by their id. */
export function readExtras(bytes: Bytes, path: string): Map<number, Bytes> {
  const extras = new Map<number, Bytes>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length; ) {
    const length = at + 4 <= bytes.length ? view.getUint16(at + 2, true) : most16
    if (at + 4 + length > bytes.length) throw new RefusedZip('damaged', path, 'its extra fields are damaged')
    const id = view.getUint16(at, true)
    if (extras.has(id) && (id === 1 || id === 0x7075)) throw new RefusedZip('ambiguous', path, 'it has an extra field twice')
    extras.set(id, bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return extras
}

/** A second name in an extra field must be the same. */
export function checkOtherName(extras: ReadonlyMap<number, Bytes>, name: Bytes, path: string): void {
  const other = extras.get(0x7075)?.subarray(5)
  if (other && !(other.length === name.length && other.every((byte, at) => byte === name[at]))) {
    throw new RefusedZip('ambiguous', path, `it has another name too (${shownName(other)})`)
  }
}

function readSizes(view: DataView, wide: Bytes | undefined, path: string): [size: number, packed: number, offset: number] {
  let at = 0
  const read = (place: number): number => {
    const told = view.getUint32(place, true)
    if (told !== most32 || !wide) return told
    if (at + 8 > wide.length) throw new RefusedZip('damaged', path, 'its sizes are damaged')
    const value = Number(new DataView(wide.buffer, wide.byteOffset, wide.byteLength).getBigUint64(at, true))
    at += 8
    return value
  }
  return [read(24), read(20), read(42)]
}
