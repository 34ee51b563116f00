import { inflateSync } from 'fflate'
import { type ByteSource, type Bytes, piecesOf } from '../export/byte-source.ts'
import { crc32 } from '../export/crc32.ts'
import { BadDeflate, inflate } from '../export/deflate.ts'
import { marks } from '../export/zip-records.ts'
import { checkOtherName, readExtras, type ZipEntry } from './zip-entries.ts'
import { shownName } from './zip-entry-name.ts'
import { RefusedZip } from './zip-problem.ts'

const most32 = 0xffffffff

/**
 * Hands out every entry with its contents, in the order they lie in the archive, which must be one directly behind the other from the first byte
 * to `end`. Whatever an entry says is checked against its local header and its real bytes. Pieces are good until the next is asked for; what a
 * visitor leaves is read all the same.
 */
export async function visitEntries(
  source: ByteSource,
  { entries, end }: { entries: readonly ZipEntry[]; end: number },
  visit: (entry: ZipEntry, pieces: AsyncIterable<Bytes>) => Promise<void>,
): Promise<void> {
  let at = 0
  for (const [index, entry] of entries.entries()) {
    if (entry.offset !== at) throw new RefusedZip('ambiguous', entry.path, 'it does not begin where what is before it ends')
    const next = entries[index + 1]?.offset ?? end
    const start = await checkHeader(source, entry, next)
    await checkDescriptor(source, entry, start + entry.packed, next)
    const pieces = checkedContents(source, entry, start)
    try {
      await source.breathe?.(entryWork_bytes)
      await visit(entry, { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) })
      while (!(await pieces.next()).done);
    } finally {
      await pieces.return(undefined)
    }
    at = next
  }
  if (at !== end) throw new RefusedZip('ambiguous', null, 'there are bytes before its directory that belong to no entry')
}

/**
 * The contents of one entry, with the checks of `visitEntries`. `next` is where what stands behind it begins. A visitor that reads every entry so has
 * seen every byte of the archive. Throws `RefusedZip`.
 */
export async function* readEntryContents(source: ByteSource, entry: ZipEntry, next: number): AsyncGenerator<Bytes> {
  const start = await checkHeader(source, entry, next)
  await checkDescriptor(source, entry, start + entry.packed, next)
  yield* checkedContents(source, entry, start)
}

/** An entry costs as much as so many bytes of contents, however small it is. */
const entryWork_bytes = 32_768

/** Where the contents begin. */
async function checkHeader(source: ByteSource, entry: ZipEntry, next: number): Promise<number> {
  const differs = (what: string) => new RefusedZip('ambiguous', entry.path, `the directory and the entry itself disagree about its ${what}`)
  const fixed = entry.offset + 30 + entry.name.length
  if (fixed + entry.packed > next) throw new RefusedZip('ambiguous', entry.path, 'it reaches into what is behind it')
  const head = await source.read(entry.offset, fixed)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (view.getUint32(0, true) !== marks.local) throw new RefusedZip('damaged', entry.path, 'its header is damaged')
  const start = fixed + view.getUint16(28, true)
  if (start + entry.packed > next) throw new RefusedZip('ambiguous', entry.path, 'it reaches into what is behind it')
  const name = head.subarray(30)
  if (view.getUint16(26, true) !== entry.name.length || !name.every((byte, at) => byte === entry.name[at]))
    throw differs(`name (${shownName(name)})`)
  if (view.getUint16(6, true) !== entry.flags) throw differs('flags')
  if (view.getUint16(8, true) !== (entry.stored ? 0 : 8)) throw differs('way of packing')
  const extras = readExtras(await source.read(fixed, start), entry.path)
  checkOtherName(extras, entry.name, entry.path)
  const behind = (entry.flags & 8) !== 0
  const wide = extras.get(1)
  const sizes = wide && wide.length >= 16 ? new DataView(wide.buffer, wide.byteOffset, wide.byteLength) : undefined
  const told = (place: number, wideAt: number) => {
    const value = view.getUint32(place, true)
    return value === most32 && sizes ? Number(sizes.getBigUint64(wideAt, true)) : value
  }
  const same = (value: number, expected: number) => value === expected || (behind && value === 0)
  if (!same(view.getUint32(14, true), entry.crc)) throw differs('checksum')
  if (!same(told(18, 8), entry.packed) || !same(told(22, 0), entry.size)) throw differs('size')
  return start
}

/** What stands between the contents and the next entry: nothing, or where sizes stand behind, those. */
async function checkDescriptor(source: ByteSource, entry: ZipEntry, from: number, to: number): Promise<void> {
  const length = to - from
  if ((entry.flags & 8) === 0) {
    if (length !== 0) throw new RefusedZip('ambiguous', entry.path, 'there are bytes behind it that belong to no entry')
    return
  }
  const bytes = length >= 12 && length <= 24 ? await source.read(from, to) : new Uint8Array()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = length === 16 || length === 24
  const at = marked ? 4 : 0
  const wide = length - at === 20
  const fits =
    (length - at === 12 || wide) && (!marked || view.getUint32(0, true) === marks.descriptor) && view.getUint32(at, true) === entry.crc
  const size = (place: number) => (wide ? Number(view.getBigUint64(at + 4 + place * 8, true)) : view.getUint32(at + 4 + place * 4, true))
  if (!fits || size(0) !== entry.packed || size(1) !== entry.size) {
    throw new RefusedZip('ambiguous', entry.path, 'the directory and what stands behind the entry disagree')
  }
}

/** Up to this an entry is unpacked in one piece: a stream for each of many thousand small files is slow and leaves much behind. */
const smallBytes = 65_536

async function* checkedContents(source: ByteSource, entry: ZipEntry, start: number): AsyncGenerator<Bytes> {
  if (!entry.stored && Math.max(entry.packed, entry.size) <= smallBytes) {
    yield smallContents(await source.read(start, start + entry.packed), entry)
    return
  }
  let [size, crc] = [0, 0]
  const packed = piecesOf(source, start, start + entry.packed)
  try {
    for await (const piece of entry.stored ? packed : inflate(packed)) {
      size += piece.length
      if (size > entry.size) throw new RefusedZip('damaged', entry.path, `it has more than the ${entry.size} bytes it says`)
      crc = crc32(piece, crc)
      yield piece
      await source.breathe?.(piece.length)
    }
  } catch (cause) {
    if (cause instanceof BadDeflate) throw new RefusedZip('damaged', entry.path, 'it cannot be unpacked')
    throw cause
  }
  if (size !== entry.size) throw new RefusedZip('damaged', entry.path, `it has ${size} bytes and says ${entry.size}`)
  if (crc !== entry.crc) throw new RefusedZip('damaged', entry.path, 'its checksum is another')
}

/** One byte more than it says is room enough to see that it says too little. */
function smallContents(packed: Bytes, { path, size, crc }: ZipEntry): Bytes {
  const contents = inflated(packed, size + 1)
  if (contents === undefined) throw new RefusedZip('damaged', path, 'it cannot be unpacked')
  if (contents.length !== size) throw new RefusedZip('damaged', path, `it has not the ${size} bytes it says`)
  if (crc32(contents) !== crc) throw new RefusedZip('damaged', path, 'its checksum is another')
  // What is whole without its last byte has bytes behind its end.
  if (inflated(packed.subarray(0, -1), size + 1) !== undefined)
    throw new RefusedZip('damaged', path, 'there are bytes behind the end of its contents')
  return contents
}

function inflated(packed: Bytes, most: number): Bytes | undefined {
  try {
    return inflateSync(packed, { out: new Uint8Array(most) }) as Bytes // a part of the buffer that was handed in
  } catch {
    return undefined
  }
}
