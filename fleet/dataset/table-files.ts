import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { TablePin, TableSource } from '#shared/scorers/table-pins.ts'
import type { TableFiles } from '#shared/scorers/tables.ts'
import { datasetError } from './dataset-error.ts'
import { readTaggerPickle } from './tagger-pickle.ts'
import { readTarGz } from './tar-members.ts'
import { readZipMembers } from './zip-members.ts'

/** An archive on disk that holds a table, and what its files have to be. */
export type TableJob = { path: string; source: TableSource; hashes: TablePin['files'] }

/** The files of a table out of its archive. Throws `dataset/bad-record` for a broken archive and `dataset/mismatch` for other content. */
export async function readTableFiles({ path, source, hashes }: TableJob): Promise<TableFiles> {
  const files = await filesOf(source, await readFile(path), path)
  for (const [name, pinned] of Object.entries(hashes)) {
    const seen = createHash('sha256')
      .update(files[name] ?? '', 'utf8')
      .digest('hex')
    if (seen !== pinned) throw datasetError('mismatch', `${name} of ${path} has SHA-256 ${seen}, but ${pinned} is pinned`)
  }
  return files
}

async function filesOf(source: TableSource, bytes: Uint8Array, archive: string): Promise<TableFiles> {
  const names = new Map(Object.entries(source.members).map(([name, path]) => [path, name]))
  const nameOf = (path: string) => names.get(path) ?? (names.get(`${posix.dirname(path)}/`) === '*' ? posix.basename(path) : undefined)
  const isWanted = (path: string) => nameOf(path) !== undefined
  const members =
    source.archive === 'zip'
      ? readZipMembers(bytes, archive, isWanted)
      : (await readTarGz(bytes, archive)).filter(({ name }) => isWanted(name))
  for (const path of names.keys()) {
    if (!members.some(({ name }) => name.startsWith(path))) throw datasetError('bad-record', `${archive}: the archive has no ${path}`)
  }
  if (source.form === 'tagger-pickle') return readTaggerPickle(members[0]!.bytes, archive) // its one member, found above
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return Object.fromEntries(members.map((member) => [nameOf(member.name), decoder.decode(member.bytes)]))
}
