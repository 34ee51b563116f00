import { rm } from 'node:fs/promises'
import { taskZipLimits } from '#shared/harbor/zip-problem.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { Presence } from '../artifacts/http-store.ts'
import { datasetError } from './dataset-error.ts'
import { DownloadError, download } from './download.ts'

/** Brings the archive of an uploaded task to a new file, with exactly the bytes of the hash. Throws `dataset/unavailable | mismatch`. */
export type FetchUpload = (sha256: string, target: string, signal: AbortSignal | null) => Promise<void>

export type UploadSource = { edgeUrl: string; token: string; clock: Clock }

/** Waits before each further try, in milliseconds: a service that is away for a minute is waited for. */
const waitsMs = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
const idleTimeoutMs = 60_000

/** Reads archives of a run from the service, with the pass that its fleet gave for the run. */
export function uploadsOfRun(run_id: string, presence: () => Presence, { edgeUrl, token, clock }: UploadSource): FetchUpload {
  const fetchOnce = async (sha256: string, target: string, signal: AbortSignal | null): Promise<string> => {
    const { agent_id, session, pass } = presence()
    const headers = { 'x-bench-agent': agent_id, 'x-bench-session': session, 'x-bench-pass': pass }
    const url = new URL(`/api/runs/${run_id}/uploads/${sha256}`, edgeUrl).href
    return (await download({ url, token, headers, target, maxBytes: taskZipLimits.packed_bytes, idleTimeoutMs, signal })).sha256
  }
  return async (sha256, target, signal) => {
    for (const waitMs of [...waitsMs, null]) {
      try {
        const seen = await fetchOnce(sha256, target, signal)
        if (seen === sha256) return
        throw datasetError('mismatch', `The service gave an archive with SHA-256 ${seen} in place of ${sha256}.`)
      } catch (error) {
        await rm(target, { force: true })
        if (!(error instanceof DownloadError)) throw error
        if (!isPassing(error) || waitMs === null) throw unavailable(error)
        await new Promise<void>((resolve) => clock.after(waitMs, resolve))
      }
    }
  }
}

const isPassing = ({ status }: DownloadError): boolean => status === null || status === 408 || status === 429 || status >= 500

function unavailable(error: DownloadError): Error {
  const { status } = error
  const what =
    status === 404
      ? 'The service does not keep the archive of this task any more: upload it again, then resume the run'
      : 'The archive of the uploaded task could not be read from the service'
  return datasetError('unavailable', `${what} (${error.message}).`, { retryable: isPassing(error), status, cause: error })
}
