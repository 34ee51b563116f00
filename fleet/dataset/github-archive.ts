import type { DatasetEnv } from './dataset-env.ts'
import { datasetError } from './dataset-error.ts'
import { DownloadError } from './download.ts'
import { openPinnedFile } from './pinned-file.ts'
import { pathBelow } from './place.ts'

/** `path`: the archive's name in the cache and in mirrors; its end says how it is packed. */
export type GithubArchive = { repo: string; revision: string; path: string; sha256: string | null }

const mostBytes = 8 * 2 ** 30

/**
 * The archive of a commit, from BENCH_DATA_DIR, the cache (`<cacheDir>/datasets/<repo>/<revision>/<path>`) or
 * `{GITHUB_ARCHIVE_ENDPOINT}/<repo>/<tar.gz or zip>/<revision>`. Throws `dataset/mismatch | unavailable`.
 */
export function openGithubArchive(file: GithubArchive, env: DatasetEnv): Promise<{ path: string; sha256: string }> {
  const form = file.path.endsWith('.zip') ? 'zip' : 'tar.gz'
  const url = `${env.githubArchiveEndpoint}/${encoded(file.repo)}/${form}/${encodeURIComponent(file.revision)}`
  const source = { url, endpoint: env.githubArchiveEndpoint, variable: 'GITHUB_ARCHIVE_ENDPOINT' }
  return openFrom(source, file, `The archive of ${file.repo} at ${file.revision}`, env)
}

/** A file of a commit, from the same places or `{GITHUB_RAW_ENDPOINT}/<repo>/<revision>/<path>`. Throws `dataset/mismatch | unavailable`. */
export function openGithubFile(file: GithubArchive, env: DatasetEnv): Promise<{ path: string; sha256: string }> {
  const url = `${env.githubRawEndpoint}/${encoded(file.repo)}/${encodeURIComponent(file.revision)}/${encoded(file.path)}`
  const source = { url, endpoint: env.githubRawEndpoint, variable: 'GITHUB_RAW_ENDPOINT' }
  return openFrom(source, file, `${file.path} of ${file.repo} at ${file.revision}`, env)
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

type Source = { url: string; endpoint: string; variable: string }

async function openFrom({ url, endpoint, variable }: Source, file: GithubArchive, what: string, env: DatasetEnv) {
  const { repo, revision, path, sha256 } = file
  const cachePath = pathBelow(env.cacheDir, 'datasets', repo, revision, path)
  if (cachePath === undefined) throw datasetError('unavailable', `"${repo}/${path}" is no path inside a repository`)
  const localPath = env.dataDir === null ? null : (pathBelow(env.dataDir, repo, path) ?? null)
  try {
    return await openPinnedFile({ url, token: null, localPath, cachePath, sha256, maxBytes: mostBytes }, env)
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error
    const { status } = error
    const detail = `${what} could not be fetched from ${endpoint}: ${error.message}. Check the network, point ${variable} to a reachable mirror, put the file below BENCH_DATA_DIR as ${repo}/${path}, or choose the sample data.`
    const retryable = status === null || status === 408 || status === 429 || status >= 500 || !error.atOrigin
    throw datasetError('unavailable', detail, { retryable, status, cause: error })
  }
}
