import type { BundleFiles, BundleMember } from '#shared/export/bundle-files.ts'
import { bundleZip } from '#shared/export/bundle-limits.ts'
import { blobSource, counted, gather, piecesOf } from '#shared/export/byte-source.ts'
import { BadArchive } from '#shared/export/read-zip.ts'

/** A file of a folder, by its path below it. */
export type FolderFile = { name: string; file: File }

/** A folder that the user chose or dropped, with its files. */
export type ChosenFolder = { name: string; files: FolderFile[] }

/** Reads the files of a folder input, whose paths begin with the folder's name. Undefined for no file. */
export function chosenFolder(files: readonly File[]): ChosenFolder | undefined {
  const [first] = files
  if (!first) return undefined
  const [name = ''] = first.webkitRelativePath.split('/')
  return { name, files: files.map((file) => ({ name: file.webkitRelativePath.slice(name.length + 1), file })) }
}

/**
 * Reads a dropped folder with all its files. Undefined if the first dropped entry is a file; rejects
 * if the browser cannot read the folder.
 */
export async function droppedFolder(dropped: DataTransfer): Promise<ChosenFolder | undefined> {
  const [entry] = [...dropped.items].map((item) => item.webkitGetAsEntry())
  if (!isFolder(entry)) return undefined
  const files: FolderFile[] = []
  const open: [FileSystemDirectoryEntry, string][] = [[entry, '']]
  for (let next = open.pop(); next; next = open.pop()) {
    const [folder, path] = next
    for (const one of await entriesOf(folder)) {
      const name = `${path}${one.name}`
      if (isFolder(one)) open.push([one, `${name}/`])
      else files.push({ name, file: await new Promise<File>((resolve, reject) => (one as FileSystemFileEntry).file(resolve, reject)) }) // no folder
      // `openBundleFolder` refuses the surplus.
      if (files.length > bundleZip.entries) return { name: entry.name, files }
    }
  }
  return { name: entry.name, files }
}

const isFolder = (entry: FileSystemEntry | null | undefined): entry is FileSystemDirectoryEntry => entry?.isDirectory === true

/** A reader gives its entries in parts, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return all
    all.push(...part)
  }
}

/**
 * Opens the files of an unpacked bundle. `hear` gets the number of bytes read so far. Throws
 * `BadArchive` for more files than `bundleZip.entries`.
 */
export function openBundleFolder({ files }: ChosenFolder, hear: (bytes: number) => void): BundleFiles {
  if (files.length > bundleZip.entries) throw new BadArchive(`there are more than ${bundleZip.entries} files`)
  let before = 0
  const sources = new Map(files.filter(({ name }) => !/(?:^|\/)\.DS_Store$/.test(name)).map(({ name, file }) => [name, blobSource(file)]))
  async function* read({ name, size }: BundleMember) {
    const source = sources.get(name)! // a member is one of them
    yield* piecesOf(
      counted(source, (bytes) => hear(before + bytes)),
      0,
      size,
    )
    before += size
  }
  const members = [...sources].map(([name, { size }]) => ({ name, size }))
  return { members, packing: null, read, readWhole: (member) => gather(read(member), member.size) }
}
