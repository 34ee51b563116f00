import type { BundleFiles } from './bundle-files.ts'
import { type ByteSource, type Bytes, piecesOf } from './byte-source.ts'
import { crc32 } from './crc32.ts'
import { BadDeflate, inflate } from './deflate.ts'
import { inflateWhole } from './inflate-whole.ts'
import { BadArchive, type DirectoryEntry, readDirectory } from './zip-directory.ts'
import { marks } from './zip-records.ts'

export { BadArchive } from './zip-directory.ts'

/** Bounds of what a reader takes: bytes in, bytes out of all members together, expansion of any one member, and members. */
export type ZipLimits = { in_bytes: number; out_bytes: number; ratio: number; entries: number }

const most32 = 0xffffffff

/** A member and where its contents lie. */
export type ZipMember = DirectoryEntry & { start: number; end: number }
export type OpenZip = {
  members: readonly ZipMember[]
  /** Where the directory begins. */
  directory: number
  /** The contents, piece by piece, each good until the next is asked for; headers, size and CRC are checked on the way. Throws `BadArchive`. */
  read(member: ZipMember): AsyncGenerator<Bytes>
  /** The contents in one piece: for members known to be small, and in no need of a platform to be read strictly. Throws `BadArchive`. */
  readWhole(member: ZipMember): Promise<Bytes>
}

/**
 * Opens an archive in which no byte is unaccounted for: members from the first byte on, each directly after the one before, then the
 * directory, then its end record, then nothing. Local headers must say what the directory says, which is looked at as each member is read;
 * real bytes are counted while inflating. Throws `BadArchive` for everything else (reliability F11, 2.5).
 */
export async function openZip(source: ByteSource, limits: ZipLimits): Promise<OpenZip> {
  if (source.size > limits.in_bytes) throw new BadArchive(`larger than the ${limits.in_bytes} bytes taken here`)
  const { entries, start } = await readDirectory(source, limits.entries)
  if (new Set(entries.map((entry) => entry.name)).size !== entries.length) throw new BadArchive('two members have the same name')
  let total = 0
  let at = 0
  const members = entries.map((entry): ZipMember => {
    if (entry.offset !== at) throw new BadArchive(`${entry.name} does not start where the member before it ends`)
    const from = at + 30 + entry.name.length + (entry.wide ? 20 : 0)
    const end = from + entry.packed
    at = end + (entry.described ? (entry.wide ? 24 : 16) : 0)
    total += entry.size
    if (at > start) throw new BadArchive('a member reaches into the directory')
    if (!entry.wide && Math.max(entry.size, entry.packed) >= most32)
      throw new BadArchive(`${entry.name} has sizes that its local header cannot tell`)
    if (entry.size > entry.packed * limits.ratio) throw new BadArchive(`${entry.name} expands more than ${limits.ratio} times`)
    return { ...entry, start: from, end }
  })
  if (at !== start) throw new BadArchive('there are bytes between the members and the directory')
  if (total > limits.out_bytes) throw new BadArchive(`unpacks to more than the ${limits.out_bytes} bytes taken here`)
  return {
    members,
    directory: start,
    async *read(member) {
      await checkHeaders(source, member)
      yield* checkedContents(source, member)
    },
    async readWhole(member) {
      await checkHeaders(source, member)
      const packed = await source.read(member.start, member.end)
      if (!member.stored) return inflateWhole(packed, member)
      if (crc32(packed) !== member.crc) throw new BadArchive(`${member.name} is damaged (size or CRC)`)
      return packed
    },
  }
}

/** All members of an opened archive, which must be exactly these. Throws `BadArchive`. */
export async function readExactly(
  zip: Pick<BundleFiles, 'members' | 'readWhole'>,
  names: readonly string[],
): Promise<{ name: string; bytes: Bytes }[]> {
  const seen = new Set(zip.members.map((member) => member.name))
  if (zip.members.length !== names.length || !names.every((name) => seen.has(name))) {
    throw new BadArchive(`the members must be exactly ${names.join(', ')}`)
  }
  const read: { name: string; bytes: Bytes }[] = []
  for (const member of zip.members) read.push({ name: member.name, bytes: await zip.readWhole(member) })
  return read
}

async function* checkedContents(source: ByteSource, member: ZipMember): AsyncGenerator<Bytes> {
  let size = 0
  let crc = 0
  const packed = piecesOf(source, member.start, member.end)
  try {
    for await (const piece of member.stored ? packed : inflate(packed)) {
      size += piece.length
      if (size > member.size) throw new BadArchive(`${member.name} is larger than it says`)
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (cause) {
    if (cause instanceof BadDeflate) throw new BadArchive(`${member.name} cannot be unpacked`, { cause })
    throw cause
  }
  if (size !== member.size || crc !== member.crc) throw new BadArchive(`${member.name} is damaged (size or CRC)`)
}

/** Checks a member's local header and descriptor against its directory entry. */
async function checkHeaders(source: ByteSource, member: ZipMember): Promise<void> {
  const other = (what: string) => new BadArchive(`${member.name} has another ${what}`)
  const head = await source.read(member.offset, member.start)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const name = String.fromCharCode(...head.subarray(30, 30 + member.name.length))
  if (view.getUint32(0, true) !== marks.local || name !== member.name) throw other('local header')
  const expected = member.fixed.slice()
  if (member.described) expected.fill(0, 10, 14).fill(member.wide ? 0xff : 0, 14, 22)
  expected[24] = member.wide ? 20 : 0
  expected[25] = 0
  if (!head.subarray(4, 30).every((byte, index) => byte === expected[index])) throw other('local header')
  const extra = head.subarray(30 + member.name.length)
  if (!extra.every((byte, index) => byte === (index === 0 ? 1 : index === 2 ? 16 : 0))) throw other('local header')
  if (!member.described) return
  const foot = await source.read(member.end, member.end + (member.wide ? 24 : 16))
  const told = new DataView(foot.buffer, foot.byteOffset, foot.byteLength)
  const sizes = member.wide
    ? [Number(told.getBigUint64(8, true)), Number(told.getBigUint64(16, true))]
    : [told.getUint32(8, true), told.getUint32(12, true)]
  const same = told.getUint32(0, true) === marks.descriptor && told.getUint32(4, true) === member.crc
  if (!same || sizes[0] !== member.packed || sizes[1] !== member.size) throw other('descriptor')
}
