import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { TableName } from '#shared/contract/card.ts'
import { type TablePin, type TableSource, tablePins } from '#shared/scorers/table-pins.ts'
import { openTables, type TableFiles, type Tables } from '#shared/scorers/tables.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { DatasetError, datasetError, systemCode } from './dataset-error.ts'
import { DownloadError } from './download.ts'
import { openPinnedFile, type PinnedFile } from './pinned-file.ts'
import { pathBelow } from './place.ts'
import { readTaggerPickle } from './tagger-pickle.ts'
import { readTarGz } from './tar-members.ts'
import { readZipMembers } from './zip-members.ts'

const MAX_BYTES = 64 * 2 ** 20

export type MissingTable = { name: TableName; detail: string }

/**
 * The tables of `names`. An archive comes from BENCH_DATA_DIR (`<repo>/<path>` or `tables/<file name>`), the cache (`<cacheDir>/tables/<sha256>`) or
 * the network, the next source where one fails; a table that no source gives is reported as missing. Throws only when `env.signal` aborts.
 */
export async function openTablesOf(
  names: readonly TableName[],
  env: DatasetEnv,
  pins: Readonly<Record<TableName, TablePin>> = tablePins,
): Promise<{ tables: Tables; missing: MissingTable[] }> {
  const found: Partial<Record<TableName, TableFiles>> = {}
  const missing: MissingTable[] = []
  for (const name of new Set(names)) {
    const opened = await openTable(pins[name], env)
    if ('files' in opened) found[name] = opened.files
    else missing.push({ name, detail: opened.detail })
  }
  const why = Object.fromEntries(missing.map(({ name, detail }) => [name, detail]))
  return { tables: openTables(found, why), missing }
}

async function openTable(pin: TablePin, env: DatasetEnv): Promise<{ files: TableFiles } | { detail: string }> {
  const details: string[] = []
  for (const source of await cachedFirst(pin.sources, env)) {
    try {
      return { files: await openSource(source, pin.files, env) }
    } catch (error) {
      env.signal?.throwIfAborted()
      const known = error instanceof DownloadError || error instanceof DatasetError || systemCode(error) !== undefined
      if (!known) throw error
      details.push(`${urlOf(source, env)}: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }
  return { detail: details.join('; ') }
}

/** A source whose archive is here already goes before those that would have to be fetched. */
async function cachedFirst(sources: readonly TableSource[], env: DatasetEnv): Promise<TableSource[]> {
  const isHere = (path: string | null) =>
    access(path ?? '').then(
      () => true,
      () => false,
    )
  const ranked = await Promise.all(
    sources.map(async (source) => {
      const { localPath, cachePath } = fileOf(source, env)
      return { source, here: (await isHere(localPath)) || (await isHere(cachePath)) }
    }),
  )
  return [...ranked.filter(({ here }) => here), ...ranked.filter(({ here }) => !here)].map(({ source }) => source)
}

async function openSource(source: TableSource, hashes: TablePin['files'], env: DatasetEnv): Promise<TableFiles> {
  const { path } = await openPinnedFile(fileOf(source, env), env)
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

function fileOf(source: TableSource, env: DatasetEnv): PinnedFile {
  const url = urlOf(source, env)
  const local = 'url' in source ? ['tables', posix.basename(url)] : [source.repo, source.path]
  return {
    url,
    token: null,
    localPath: env.dataDir === null ? null : (pathBelow(env.dataDir, ...local) ?? null),
    cachePath: join(env.cacheDir, 'tables', `${source.sha256}.${source.archive}`),
    sha256: source.sha256,
    maxBytes: MAX_BYTES,
  }
}

function urlOf(source: TableSource, env: DatasetEnv): string {
  return 'url' in source ? source.url : `${env.githubRawEndpoint}/${source.repo}/${source.revision}/${source.path}`
}
