import type { BundleFiles, BundleMember } from '../export/bundle-files.ts'
import { type ByteSource, type Bytes, gather } from '../export/byte-source.ts'
import { BadArchive, type ZipLimits } from '../export/read-zip.ts'
import { isOfMac, openPlainZip } from './open-plain-zip.ts'
import { readEntryContents } from './zip-contents.ts'
import type { ZipEntry } from './zip-entries.ts'
import { RefusedZip, taskZipLimits } from './zip-problem.ts'

/**
 * A bundle in an archive that another program packed: any order, dates, attributes and way of packing, with folders and what macOS adds, at the
 * root or in one folder. Names, links, sizes and bytes that belong to nothing are refused as in an uploaded task. Throws `BadArchive` with the entry.
 */
export async function openBundleInZip(source: ByteSource, limits: ZipLimits): Promise<BundleFiles> {
  const { entries, end } = await told(() =>
    openPlainZip(source, {
      ...taskZipLimits,
      packed_bytes: limits.in_bytes,
      unpacked_bytes: limits.out_bytes,
      entries: limits.entries,
      ratio: limits.ratio,
      all_ratio: limits.ratio,
    }),
  )
  if (entries[0] && entries[0].offset !== 0) throw new BadArchive('there are bytes before its first entry')
  const nextOf = new Map(entries.map((entry, index) => [entry, entries[index + 1]?.offset ?? end]))
  const files = entries.filter(({ folder, path }) => !folder && !isOfMac(path) && !/(?:^|\/)\.DS_Store$/.test(path))
  const root = rootOf(files)
  const placed = new Map(files.map((entry) => [entry.path.slice(root.length), entry]))
  const others = entries.filter((entry) => !files.includes(entry))
  for (const entry of others) for await (const _ of contents(source, entry, nextOf.get(entry)!)); // read for its checks alone
  const read = ({ name }: BundleMember) => {
    const entry = placed.get(name)!
    return contents(source, entry, nextOf.get(entry)!)
  }
  return {
    members: [...placed].map(([name, { size }]) => ({ name, size })),
    packing: null,
    read,
    readWhole: (member) => gather(read(member), member.size),
  }
}

/** The one folder that everything lies in, with its slash; empty where something lies at the root. */
function rootOf(files: readonly ZipEntry[]): string {
  const folders = new Set(files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : '')))
  const [only = ''] = folders
  return folders.size === 1 && files.some(({ path }) => path === `${only}manifest.json`) ? only : ''
}

async function* contents(source: ByteSource, entry: ZipEntry, next: number): AsyncGenerator<Bytes> {
  const pieces = readEntryContents(source, entry, next)
  for (;;) {
    const step = await told(() => pieces.next())
    if (step.done) return
    yield step.value
  }
}

async function told<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof RefusedZip)) throw cause
    const { entry, text } = cause.problem
    throw new BadArchive(entry === null ? text : `${entry}: ${text}`, { cause })
  }
}
