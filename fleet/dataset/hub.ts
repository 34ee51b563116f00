import type { DataIdentity } from '#shared/contract/run.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { type DatasetError, datasetError } from './dataset-error.ts'
import { DownloadError } from './download.ts'
import { openPinnedFile } from './pinned-file.ts'
import { pathBelow } from './place.ts'

export type HubFile = { repo: string; revision: string; path: string; sha256: string | null }

const MAX_BYTES = 64 * 2 ** 30
const WAYS_OUT =
  'Check the network, point HF_ENDPOINT to a reachable mirror, put the file below BENCH_DATA_DIR as <repo>/<path>, or choose the sample data.'

/**
 * One file of a pinned data set, from BENCH_DATA_DIR, the cache (`<cacheDir>/datasets/<repo>/<revision>/<path>`) or the hub.
 * Throws `dataset/gated | mismatch | unavailable`. Source of the URL form: Hugging Face hub, `resolve` endpoint.
 */
export async function openHubFile(file: HubFile, env: DatasetEnv): Promise<{ path: string; sha256: string }> {
  const cachePath = pathBelow(env.cacheDir, 'datasets', file.repo, file.revision, file.path)
  if (cachePath === undefined) throw datasetError('unavailable', `"${file.repo}/${file.path}" is no path inside a data set`)
  try {
    return await openPinnedFile(
      {
        url: hubUrl(file, env),
        token: env.hfToken,
        localPath: env.dataDir === null ? null : (pathBelow(env.dataDir, file.repo, file.path) ?? null),
        cachePath,
        sha256: file.sha256,
        maxBytes: MAX_BYTES,
      },
      env,
    )
  } catch (error) {
    throw error instanceof DownloadError ? hubFailure(error, file, env) : error
  }
}

/** Page of a data set, where its terms are accepted. */
export function dataPage(identity: Pick<DataIdentity, 'repo'>, env: DatasetEnv): string {
  return `${env.hfEndpoint}/datasets/${identity.repo}`
}

function hubUrl(file: HubFile, env: DatasetEnv): string {
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  return `${dataPage(file, env)}/resolve/${encodeURIComponent(file.revision)}/${path}`
}

function hubFailure(error: DownloadError, file: HubFile, env: DatasetEnv): DatasetError {
  const { status } = error
  const refused = error.atOrigin && (status === 401 || status === 403) && error.errorCode !== 'RepoNotFound'
  if (refused) {
    const held = env.hfToken === null ? 'HF_TOKEN is not set' : 'HF_TOKEN is set, but its account has no access'
    return datasetError(
      'gated',
      `The data set ${file.repo} is gated (HTTP ${status}${error.errorCode ? `, ${error.errorCode}` : ''}; ${held}). Accept its terms at ${dataPage(file, env)} and set HF_TOKEN of the agent to a read token of the same account.`,
      { status, cause: error },
    )
  }
  const passing = status === null || status === 408 || status === 429 || status >= 500 || !error.atOrigin
  return datasetError(
    'unavailable',
    `${file.path} of ${file.repo} at ${file.revision} could not be fetched from ${env.hfEndpoint}: ${error.message}. ${WAYS_OUT}`,
    {
      retryable: passing,
      status,
      cause: error,
    },
  )
}
