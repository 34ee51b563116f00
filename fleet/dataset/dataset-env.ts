import { resolve } from 'node:path'
import type { Heavy } from '../threads/heavy.ts'
import { heavyHere } from '../threads/heavy-here.ts'
import type { FetchUpload } from './fetch-upload.ts'
import type { DatasetPlace } from './place.ts'
import { rowLimits } from './row-limits.ts'

/** All that opening data needs of its surroundings. Built once at start; no module reads `process.env`. */
export type DatasetEnv = DatasetPlace & {
  signal: AbortSignal | null
  /** Who does what takes long. */
  heavy: Heavy
  /** Where the uploaded tasks of a run come from; absent outside of a service's runs. */
  uploads?: FetchUpload
}

type Folders = { cacheDir: string; benchmarksDir: string; signal?: AbortSignal | null; heavy?: Heavy }

/**
 * Reads HF_ENDPOINT, HF_TOKEN, GITHUB_RAW_ENDPOINT, GITHUB_ARCHIVE_ENDPOINT, BENCH_DATA_DIR and BENCH_DATA_OVERRIDES from a process environment. Heavy work is done at
 * once unless threads for it are given.
 */
export function datasetEnv(env: Record<string, string | undefined>, folders: Folders): DatasetEnv {
  const set = (name: string) => env[name]?.trim() || null
  const dataDir = set('BENCH_DATA_DIR')
  return {
    cacheDir: resolve(folders.cacheDir),
    dataDir: dataDir === null ? null : resolve(dataDir),
    benchmarksDir: resolve(folders.benchmarksDir),
    hfEndpoint: (set('HF_ENDPOINT') ?? 'https://huggingface.co').replace(/\/+$/, ''),
    hfToken: set('HF_TOKEN'),
    githubRawEndpoint: (set('GITHUB_RAW_ENDPOINT') ?? 'https://raw.githubusercontent.com').replace(/\/+$/, ''),
    githubArchiveEndpoint: (set('GITHUB_ARCHIVE_ENDPOINT') ?? 'https://codeload.github.com').replace(/\/+$/, ''),
    overrides: set('BENCH_DATA_OVERRIDES'),
    idleTimeoutMs: 60_000,
    rows: rowLimits,
    signal: folders.signal ?? null,
    heavy: folders.heavy ?? heavyHere(),
  }
}
