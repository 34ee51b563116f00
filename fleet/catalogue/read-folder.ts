import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

const mostBytes = 256 * 1024

/** Texts by path of all files below a folder, in the order of their paths, and what is wrong with those that are no texts. */
export type FolderTexts = { files: Record<string, string>; faults: { path: string; message: string }[] }

/** Reads a folder of small texts; one that is not there holds none. A link is never followed. */
export async function readFolder(folder: string): Promise<FolderTexts> {
  const found: FolderTexts = { files: {}, faults: [] }
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && below === '') return []
      throw error
    })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(below, entry.name)
      if (entry.isDirectory()) await walk(path)
      else if (!entry.isFile()) found.faults.push({ path, message: 'is a link or no plain file' })
      else {
        const text = textIn(await readFile(join(folder, path)))
        if ('fault' in text) found.faults.push({ path, message: text.fault })
        else found.files[path] = text.text
      }
    }
  }
  await walk('')
  return found
}

function textIn(bytes: Uint8Array): { text: string } | { fault: string } {
  if (bytes.length > mostBytes) return { fault: `is larger than ${mostBytes / 1024} kB` }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? { fault: 'is no text: it holds a zero byte' } : { text }
  } catch {
    return { fault: 'is no text in UTF-8' }
  }
}
