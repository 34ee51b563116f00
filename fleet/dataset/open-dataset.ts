import { basename } from 'node:path'
import { findCard } from '#shared/benchmarks/cards.ts'
import type { DataRows } from '#shared/benchmarks/rows.ts'
import { builtinRepo, type DataFile } from '#shared/contract/card.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { DataIdentity } from '#shared/contract/run.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { datasetError, outcomeOf } from './dataset-error.ts'
import { openGithubArchive, openGithubFile } from './github-archive.ts'
import { openHubFile } from './hub.ts'
import { countOf, findRows, openSources, type RowSource } from './open-rows.ts'
import { openUpload } from './open-upload.ts'
import { readOverrides } from './overrides.ts'
import { checkedHash } from './pinned-file.ts'
import { pathBelow } from './place.ts'
import { archivePath } from './rows.ts'
import { sampleRole } from './sample-identities.ts'

export type DatasetRequest = {
  benchmark: string
  identity: DataIdentity
  roles: readonly string[]
  /** Columns to read, by role; all but embedded media where absent. */
  columns?: Readonly<Record<string, readonly string[]>>
}

/** What a run records about each file it used. */
export type SeenFile = { role: string; path: string; sha256: string; rows: number }
export type OpenedDataset = {
  rows: DataRows
  seen: SeenFile[]
  /** Of what the rows of each role are read: with it another thread reads them too. */
  sources: Record<string, RowSource[]>
  /** Whether the rows are the operator's own. */
  own: boolean
  /** Lets go of files on disk; no row can be read then. */
  close(): Promise<void>
}

/** `rows`: where they are in another file than the one that is named and has the hash. */
type LocalFile = { path: string; sha256: string; rows?: { name: string; sha256: string } }

/**
 * Rows of the wanted roles, after every file was checked against the identity: hash where it names one, and number of rows. Several files
 * of one role are joined in the identity's order. Fails with `dataset/unavailable | gated | mismatch | bad-record` or `agent/disk-full`.
 */
export function openDataset(request: DatasetRequest, env: DatasetEnv): Promise<Outcome<OpenedDataset>> {
  return outcomeOf(async () => {
    const { identity } = request
    const sources: Record<string, RowSource[]> = {}
    const seen: SeenFile[] = []
    for (const role of new Set(request.roles)) {
      const files = identity.files.filter((file) => file.role === role)
      if (files.length === 0)
        throw datasetError(
          'unavailable',
          `The data of ${request.benchmark} (${identity.source}, ${identity.repo}) has no file of the role ${role}. Choose other data, or a profile that does without it.`,
        )
      const parts: RowSource[] = []
      for (const file of files) {
        const local = await openFile(file, request, env)
        const { name, sha256 } = local.rows ?? { name: file.path, sha256: local.sha256 }
        const part = await findRows({ path: local.path, sha256 }, name, request.columns?.[role], env)
        checkRows(file, countOf(part), identity)
        seen.push({ role, path: file.path, sha256: local.sha256, rows: countOf(part) })
        parts.push(part)
      }
      sources[role] = parts
    }
    return { seen, sources, own: identity.source === 'override', ...(await openRoles(sources, env)) }
  })
}

/** The rows of every role, to be closed together. */
export async function openRoles(sources: Readonly<Record<string, readonly RowSource[]>>, env: Pick<DatasetEnv, 'heavy' | 'rows'>) {
  const opened: [string, Awaited<ReturnType<typeof openSources>>][] = []
  const close = async (): Promise<void> => void (await Promise.all(opened.map(([, rows]) => rows.close())))
  try {
    for (const [role, parts] of Object.entries(sources)) opened.push([role, await openSources(parts, env)])
    return { rows: Object.fromEntries(opened) satisfies DataRows, close }
  } catch (error) {
    await close()
    throw error
  }
}

function openFile(file: DataFile, request: DatasetRequest, env: DatasetEnv): Promise<LocalFile> {
  const { source } = request.identity
  const { repo, revision } = file.from ?? request.identity
  switch (source) {
    case 'pinned':
      if (file.from?.host === 'github-file') return openGithubFile({ repo, revision, path: file.path, sha256: file.sha256 }, env)
      if (file.from?.host === 'github')
        return openGithubArchive({ repo, revision, path: archivePath(file.path).path, sha256: file.sha256 }, env)
      if (repo === builtinRepo) return openBuiltin(file, request.benchmark, env)
      return openHubFile({ repo, revision, path: archivePath(file.path).path, sha256: file.sha256 }, env)
    case 'sample':
      return openSample(file, request.benchmark, env)
    case 'override':
      return openOverride(file, request.benchmark, env)
    case 'upload':
      return openUpload(file, env)
  }
}

async function openSample(file: DataFile, benchmark: string, env: DatasetEnv): Promise<LocalFile> {
  const path = sampleRole(file.path) === undefined ? undefined : pathBelow(env.benchmarksDir, benchmark, file.path)
  const sha256 = path === undefined ? undefined : await checkedHash(path, file.sha256, env)
  if (path === undefined || sha256 === undefined) {
    throw datasetError(
      'unavailable',
      `This agent's checkout has no sample ${file.path} for ${benchmark}: update it to the version of the edge.`,
    )
  }
  return { path, sha256 }
}

/** Data that are part of the program: only what its own card names is opened, so that an identity reaches no other file. */
async function openBuiltin({ path: name, sha256: pin }: DataFile, benchmark: string, env: DatasetEnv): Promise<LocalFile> {
  const own = findCard(benchmark)?.data
  const known = own?.repo === builtinRepo && own.files.some((file) => file.path === name && file.sha256 === pin)
  const path = known ? pathBelow(env.benchmarksDir, benchmark, name) : undefined
  const sha256 = path === undefined ? undefined : await checkedHash(path, pin, env)
  if (path === undefined || sha256 === undefined)
    throw datasetError('unavailable', `The run uses ${name} of ${benchmark} as another version of this program has it: update this agent.`)
  return { path, sha256 }
}

/** Only files that the operator of this agent declared are opened; the identity merely says which of them, by role and hash. */
async function openOverride(file: DataFile, benchmark: string, env: DatasetEnv): Promise<LocalFile> {
  const declared = (await readOverrides(env))[benchmark]?.files.filter((own) => own.role === file.role) ?? []
  const seen: string[] = []
  for (const own of declared) {
    const { path } = archivePath(own.path)
    const sha256 = await checkedHash(path, own.sha256 ?? null, env)
    if (sha256 !== undefined && (sha256 === file.sha256 || (file.sha256 === null && basename(own.path) === basename(file.path))))
      return { path, sha256 }
    if (sha256 !== undefined) seen.push(`${path} ${sha256}`)
  }
  if (seen.length === 0) {
    throw datasetError(
      'unavailable',
      `The run uses an override of ${benchmark} (${file.role}); declare that file in this agent's BENCH_DATA_OVERRIDES, or name a local run's folder of tasks with --tasks.`,
    )
  }
  throw datasetError(
    'mismatch',
    `The run uses an override of ${benchmark} (${file.role}) with SHA-256 ${file.sha256}; this agent has ${seen.join(', ')}.`,
  )
}

/** Of a whole archive whose bytes are pinned, the card counts the files or groups that are used; others may lie beside them. */
function checkRows(file: DataFile, rows: number, identity: DataIdentity): void {
  const wholeArchive = /\.(zip|h5)$|\.tar\.gz!\//.test(file.path) && file.sha256 !== null
  if (rows === file.rows || wholeArchive) return
  throw datasetError('mismatch', `${file.path} of ${identity.repo} at ${identity.revision} has ${rows} rows; ${file.rows} are expected.`)
}
