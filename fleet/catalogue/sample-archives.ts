import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import { readTaskFolders } from './pack-terminal-tasks.ts'

/** Packs each task of a folder as `bench upload` packs it. The same files give the same bytes. Throws `BadCatalogue`. */
export async function sampleArchives(dir: string): Promise<{ name: string; zip: Uint8Array }[]> {
  const archives: { name: string; zip: Uint8Array }[] = []
  for (const { name, files } of await readTaskFolders(dir)) {
    const pieces: Uint8Array[] = []
    for await (const piece of writeTaskZip(files.map((file) => ({ ...file, path: `${name}/${file.path}` })))) pieces.push(piece)
    archives.push({ name, zip: Buffer.concat(pieces) })
  }
  return archives
}
