import { Inflate } from 'fflate'
import { crc32 } from './crc32.ts'

/** Bounds of what a reader takes: bytes in, bytes out of all members together, and expansion of any one member. */
export type ZipLimits = { in_bytes: number; out_bytes: number; ratio: number; entries: number }
export const zipLimits: ZipLimits = { in_bytes: 64 * 2 ** 20, out_bytes: 512 * 2 ** 20, ratio: 200, entries: 16 }

/** An archive that two readers could understand differently, or that is larger than allowed. */
export class BadArchive extends Error {}

type Entry = { name: string; offset: number; flags: number; fixed: Uint8Array; crc: number; packed: number; size: number }

/**
 * Reads an archive of deflated members in which no byte is unaccounted for: members from the first byte on, each directly after
 * the one before, then the directory, then its end record, then nothing. Local headers must say what the directory says; real
 * bytes are counted while inflating. Throws `BadArchive` for everything else (reliability F11, 2.5).
 */
export function readZip(bytes: Uint8Array, names: readonly string[], limits: ZipLimits = zipLimits): { name: string; bytes: Uint8Array }[] {
  if (bytes.length > limits.in_bytes) throw new BadArchive(`larger than the ${limits.in_bytes} bytes taken here`)
  const { entries, start } = readDirectory(bytes, limits)
  const seen = new Set(entries.map((entry) => entry.name))
  if (entries.length !== names.length || !names.every((name) => seen.has(name))) {
    throw new BadArchive(`the members must be exactly ${names.join(', ')}`)
  }
  const total = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (total > limits.out_bytes) throw new BadArchive(`unpacks to more than the ${limits.out_bytes} bytes taken here`)
  let at = 0
  const members = entries.map((entry) => {
    const body = checkLocal(bytes, entry, at)
    at = body.end
    if (at > start) throw new BadArchive('a member reaches into the directory')
    if (entry.size > entry.packed * limits.ratio) throw new BadArchive(`${entry.name} expands more than ${limits.ratio} times`)
    return { entry, packed: bytes.subarray(body.start, body.start + entry.packed) }
  })
  if (at !== start) throw new BadArchive('there are bytes between the members and the directory')
  return members.map(({ entry, packed }) => ({ name: entry.name, bytes: inflate(packed, entry) }))
}

function readDirectory(bytes: Uint8Array, limits: ZipLimits): { entries: Entry[]; start: number } {
  const end = bytes.length - 22
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new BadArchive('it does not end in a ZIP end record without comment')
  const count = view.getUint16(end + 10, true)
  const size = view.getUint32(end + 12, true)
  const start = view.getUint32(end + 16, true)
  const wellFormed = view.getUint32(end + 4, true) === 0 && view.getUint16(end + 8, true) === count && view.getUint16(end + 20, true) === 0
  if (!wellFormed || start + size !== end) throw new BadArchive('the end record does not fit the file')
  if (count > limits.entries) throw new BadArchive(`more than ${limits.entries} members`)
  const entries: Entry[] = []
  let at = start
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw new BadArchive('the directory is damaged')
    const nameLength = view.getUint16(at + 28, true)
    entries.push(readEntry(bytes, view, at, nameLength))
    at += 46 + nameLength
  }
  if (at !== end) throw new BadArchive('the directory is longer than its members')
  return { entries, start }
}

function readEntry(bytes: Uint8Array, view: DataView, at: number, nameLength: number): Entry {
  const flags = view.getUint16(at + 8, true)
  if (flags !== 0 && flags !== 8) throw new BadArchive('a member is encrypted or flagged')
  if (view.getUint16(at + 6, true) !== 20) throw new BadArchive('a member needs another version of ZIP')
  if (view.getUint16(at + 10, true) !== 8) throw new BadArchive('a member is not deflated')
  const plain = view.getUint16(at + 30, true) === 0 && view.getUint16(at + 32, true) === 0 && view.getUint16(at + 34, true) === 0
  if (!plain) throw new BadArchive('a member has extra fields, a comment or another disk')
  const kind = view.getUint32(at + 38, true) >>> 28
  if (kind !== 0 && kind !== 8) throw new BadArchive('a member is not a plain file')
  if (nameLength === 0 || nameLength > 64 || at + 46 + nameLength > bytes.length) throw new BadArchive('a member has no usable name')
  return {
    name: String.fromCharCode(...bytes.subarray(at + 46, at + 46 + nameLength)),
    offset: view.getUint32(at + 42, true),
    flags,
    fixed: bytes.subarray(at + 6, at + 32),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
  }
}

/** Checks a member's local header (and descriptor) against its directory entry; returns where its packed bytes lie. */
function checkLocal(bytes: Uint8Array, entry: Entry, at: number): { start: number; end: number } {
  const start = at + 30 + entry.name.length
  const described = entry.flags === 8
  const end = start + entry.packed + (described ? 16 : 0)
  if (entry.offset !== at || end > bytes.length) throw new BadArchive(`${entry.name} does not start where the member before it ends`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = String.fromCharCode(...bytes.subarray(at + 30, start))
  if (view.getUint32(at, true) !== 0x04034b50 || name !== entry.name) throw new BadArchive(`${entry.name} has another local header`)
  const local = bytes.subarray(at + 4, at + 30)
  const expected = entry.fixed.slice()
  if (described) expected.fill(0, 10, 22)
  if (!local.every((byte, index) => byte === expected[index])) throw new BadArchive(`${entry.name} has another local header`)
  if (described) {
    const from = start + entry.packed
    const told = [0x08074b50, entry.crc, entry.packed, entry.size]
    if (!told.every((value, index) => view.getUint32(from + index * 4, true) === value))
      throw new BadArchive(`${entry.name} has another descriptor`)
  }
  return { start, end }
}

function inflate(packed: Uint8Array, entry: Entry): Uint8Array {
  const out = new Uint8Array(entry.size)
  const filled = inflateInto(packed, out, entry.name)
  if (filled !== entry.size || crc32(out) !== entry.crc) throw new BadArchive(`${entry.name} is damaged (size or CRC)`)
  // A deflate stream that is still complete without its last byte hides bytes behind its end.
  if (endsEarly(packed)) throw new BadArchive(`${entry.name} has bytes behind its end`)
  return out
}

const step = 16_384

/** Inflates in small steps, so that at most 16 MiB beyond the declared size are ever made. */
function inflateInto(packed: Uint8Array, out: Uint8Array, name: string): number {
  let filled = 0
  const stream = new Inflate((chunk) => {
    if (filled + chunk.length > out.length) throw new BadArchive(`${name} is larger than it says`)
    out.set(chunk, filled)
    filled += chunk.length
  })
  pushAll(stream, packed, name)
  return filled
}

function endsEarly(packed: Uint8Array): boolean {
  try {
    pushAll(new Inflate(() => {}), packed.subarray(0, -1), '')
    return true
  } catch {
    return false
  }
}

function pushAll(stream: Inflate, packed: Uint8Array, name: string): void {
  try {
    if (packed.length === 0) throw new BadArchive(`${name} is empty`)
    for (let at = 0; at < packed.length; at += step) stream.push(packed.subarray(at, at + step), at + step >= packed.length)
  } catch (cause) {
    if (cause instanceof BadArchive) throw cause
    throw new BadArchive(`${name} cannot be unpacked`, { cause })
  }
}
