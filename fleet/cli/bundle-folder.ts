import { createReadStream, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BundleFiles, BundleMember } from '#shared/export/bundle-files.ts'
import { bundleZip } from '#shared/export/bundle-limits.ts'
import { type Bytes, gather } from '#shared/export/byte-source.ts'
import { BadArchive } from '#shared/export/read-zip.ts'

/** Deeper than a bundle has folders: its artifacts lie in one. */
const deepest = 2

/**
 * The files of a bundle that was unpacked into a folder. Throws `BadArchive` for what no bundle holds: a symbolic link, a special file, deeper folders.
 * Reading throws it for a file that has changed its size since, and the errors of the file system.
 */
export function openBundleFolder(folder: string): BundleFiles {
  const members = listMembers(folder, '', 1)
  async function* read(member: BundleMember): AsyncGenerator<Bytes> {
    let size = 0
    for await (const piece of createReadStream(join(folder, member.name), { highWaterMark: 2 ** 18 })) {
      const bytes = piece as Bytes // without an encoding a stream gives bytes
      size += bytes.length
      if (size > member.size) break
      yield bytes
    }
    if (size !== member.size) throw new BadArchive(`${member.name} has changed while it was read`)
  }
  return { members, packing: null, read, readWhole: (member) => gather(read(member), member.size) }
}

function listMembers(root: string, below: string, depth: number): BundleMember[] {
  const members: BundleMember[] = []
  for (const entry of readdirSync(join(root, below)).sort()) {
    if (entry === '.DS_Store') continue
    const name = below === '' ? entry : `${below}/${entry}`
    const found = lstatSync(join(root, name))
    if (found.isSymbolicLink()) throw new BadArchive(`${name} is a symbolic link`)
    if (found.isFile()) members.push({ name, size: found.size })
    else if (!found.isDirectory()) throw new BadArchive(`${name} is no plain file`)
    else if (depth >= deepest) throw new BadArchive(`${name} is no folder of a bundle`)
    else members.push(...listMembers(root, name, depth + 1))
    if (members.length > bundleZip.entries) throw new BadArchive(`there are more than ${bundleZip.entries} files`)
  }
  return members
}
