import { access } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { TableName } from '#shared/contract/card.ts'
import { type TablePin, type TableSource, tablePins } from '#shared/scorers/table-pins.ts'
import { openTables, type TableFiles, type Tables } from '#shared/scorers/tables.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { DatasetError, systemCode, unwrap } from './dataset-error.ts'
import { DownloadError } from './download.ts'
import { openPinnedFile, type PinnedFile } from './pinned-file.ts'
import { pathBelow } from './place.ts'

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
  return unwrap(await env.heavy.run('table', { path, source, hashes }, { signal: env.signal }))
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
