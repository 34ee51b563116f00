import { join, resolve } from 'node:path'

/** Where data sets and official texts come from and where they are kept. Built once at start; no module reads `process.env`. */
export type DatasetEnv = {
  /** Absolute folder; holds `datasets/`, `texts/`, `tables/` and `verified/`. */
  cacheDir: string
  /** Local mirror laid out as `<repo>/<path>` (packages: `tables/<file name>`), looked into before the network. */
  dataDir: string | null
  /** `shared/benchmarks` of the checkout: the samples. */
  benchmarksDir: string
  hfEndpoint: string
  hfToken: string | null
  githubRawEndpoint: string
  /** Value of BENCH_DATA_OVERRIDES: a path to a JSON file, or the JSON itself. */
  overrides: string | null
  /** A download that delivers nothing for this long is given up. */
  idleTimeoutMs: number
  signal: AbortSignal | null
}

type Folders = { cacheDir: string; benchmarksDir: string; signal?: AbortSignal | null }

/** Reads HF_ENDPOINT, HF_TOKEN, GITHUB_RAW_ENDPOINT, BENCH_DATA_DIR and BENCH_DATA_OVERRIDES from a process environment. */
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
    overrides: set('BENCH_DATA_OVERRIDES'),
    idleTimeoutMs: 60_000,
    signal: folders.signal ?? null,
  }
}

/** Joins names from a card or an identity below `root`; undefined when one of them would leave it or is no plain path. */
export function pathBelow(root: string, ...parts: string[]): string | undefined {
  const segments = parts.flatMap((part) => part.split('/'))
  const plain = segments.every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\:\0]/.test(name))
  return plain ? join(root, ...segments) : undefined
}
