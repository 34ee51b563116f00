import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatasetEnv } from './dataset-env.ts'
import { datasetError } from './dataset-error.ts'
import { download } from './download.ts'
import { withFileLock } from './file-lock.ts'
import { hashFile, markVerified } from './verified-file.ts'

export type PinnedFile = {
  url: string
  token: string | null
  /** Where the file lies in the operator's own mirror, if there is one. */
  localPath: string | null
  cachePath: string
  /** Null: not known yet; the hash that was seen is returned. */
  sha256: string | null
  maxBytes: number
}

/**
 * A local path with exactly the pinned bytes: from the operator's mirror, from the cache, or downloaded into it (once, also when several
 * processes ask). Throws `dataset/mismatch` for other bytes and `DownloadError` where the network fails.
 */
export async function openPinnedFile(file: PinnedFile, env: DatasetEnv): Promise<{ path: string; sha256: string }> {
  if (file.localPath !== null) {
    const sha256 = await checkedHash(file.localPath, file.sha256, env)
    if (sha256 !== undefined) return { path: file.localPath, sha256 }
  }
  const { cachePath } = file
  const cached = await cachedHash(file, env)
  if (cached !== undefined) return { path: cachePath, sha256: cached }
  await mkdir(dirname(cachePath), { recursive: true })
  const sha256 = await withFileLock(cachePath, env.signal, async () => (await cachedHash(file, env)) ?? (await fetchIntoCache(file, env)))
  return { path: cachePath, sha256 }
}

/** Hash of a file that nobody downloads (mirror, override, sample); undefined when it is absent. Throws `dataset/mismatch`. */
export async function checkedHash(path: string, pin: string | null, env: DatasetEnv): Promise<string | undefined> {
  const hash = await hashFile(path, env)
  if (hash === undefined) return undefined
  if (pin !== null && hash.sha256 !== pin) throw mismatch(path, pin, hash.sha256)
  if (hash.read) await markVerified(path, env.cacheDir, hash.sha256)
  return hash.sha256
}

/** A cached file counts only when its bytes are the pinned ones or, without a pin, those once downloaded; otherwise it is fetched again. */
async function cachedHash(file: PinnedFile, env: DatasetEnv): Promise<string | undefined> {
  const hash = await hashFile(file.cachePath, env)
  if (hash === undefined || hash.sha256 !== (file.sha256 ?? hash.recorded)) return undefined
  if (hash.read) await markVerified(file.cachePath, env.cacheDir, hash.sha256)
  return hash.sha256
}

async function fetchIntoCache(file: PinnedFile, env: DatasetEnv): Promise<string> {
  const { cachePath } = file
  await removeLeftovers(cachePath)
  const target = `${cachePath}.${randomUUID()}.part`
  try {
    const { url, token, maxBytes } = file
    const { sha256 } = await download({ url, token, maxBytes, target, idleTimeoutMs: env.idleTimeoutMs, signal: env.signal })
    if (file.sha256 !== null && sha256 !== file.sha256) throw mismatch(url, file.sha256, sha256)
    await rename(target, cachePath)
    await markVerified(cachePath, env.cacheDir, sha256)
    return sha256
  } finally {
    await rm(target, { force: true })
  }
}

/** Parts that killed processes left beside a file; nobody else writes here while its lock is held. */
export async function removeLeftovers(cachePath: string): Promise<void> {
  const start = `${basename(cachePath)}.`
  const names = (await readdir(dirname(cachePath))).filter((name) => name.startsWith(start) && name.endsWith('.part'))
  await Promise.all(names.map((name) => rm(join(dirname(cachePath), name), { force: true })))
}

function mismatch(where: string, pin: string, seen: string) {
  return datasetError(
    'mismatch',
    `${where} has SHA-256 ${seen}, but ${pin} is pinned: this is not the file that the benchmark names. To use it anyway, declare it as a data override (BENCH_DATA_OVERRIDES); its hash then becomes part of the result.`,
  )
}
