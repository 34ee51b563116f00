import { join } from 'node:path'
import type { RowLimits } from './row-limits.ts'

/** Where data sets and official texts come from and where they are kept: plain data, so that threads can be given it. */
export type DatasetPlace = {
  /** Absolute folder; holds `datasets/`, `texts/`, `tables/`, `rows/` and `verified/`. */
  cacheDir: string
  /** Local mirror laid out as `<repo>/<path>` (packages: `tables/<file name>`), looked into before the network. */
  dataDir: string | null
  /** `shared/benchmarks` of the checkout: the samples. */
  benchmarksDir: string
  hfEndpoint: string
  hfToken: string | null
  githubRawEndpoint: string
  /** Where GitHub gives archives of commits. */
  githubArchiveEndpoint: string
  /** Value of BENCH_DATA_OVERRIDES: a path to a JSON file, or the JSON itself. */
  overrides: string | null
  /** A download that delivers nothing for this long is given up. */
  idleTimeoutMs: number
  rows: RowLimits
}

/** The part of the surroundings that a thread can be told. */
export function placeOf({
  signal: _signal,
  heavy: _heavy,
  uploads: _uploads,
  ...place
}: DatasetPlace & { signal: unknown; heavy: unknown; uploads?: unknown }): DatasetPlace {
  return place
}

/** Joins names from a card or an identity below `root`; undefined when one of them would leave it or is no plain path. */
export function pathBelow(root: string, ...parts: string[]): string | undefined {
  const segments = parts.flatMap((part) => part.split('/'))
  const plain = segments.every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\:\0]/.test(name))
  return plain ? join(root, ...segments) : undefined
}
