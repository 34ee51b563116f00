import type { RunSpec } from '../contract/run.ts'
import type { ZipLimits } from './read-zip.ts'

const mebibyte = 2 ** 20

/** What a bundle may be, for whoever writes and whoever reads one: nothing is signed that would be refused. Far above any real run. */
export const bundleLimits = {
  /** Trials, each with some hundred bytes in memory while metrics are computed. */
  trials: 2_000_000,
  /** One trial: a line of `items.jsonl` in bytes. */
  line_bytes: 64 * mebibyte,
  /** `results.json`, the manifest and what else is read whole, in bytes. */
  whole_bytes: 256 * mebibyte,
  /** Lines of `items.jsonl` together, in bytes, up to which `results.json` lists the items too. */
  listed_bytes: 8 * mebibyte,
  artifacts: 1_000_000,
  archive_bytes: 2 ** 40,
  unpacked_bytes: 2 ** 41,
} as const

/** Deflate can do 1,032; whoever says more lies. */
const mostExpansion = 1_100

/** As limits of a ZIP. */
export const bundleZip: ZipLimits = {
  in_bytes: bundleLimits.archive_bytes,
  out_bytes: bundleLimits.unpacked_bytes,
  ratio: mostExpansion,
  entries: bundleLimits.artifacts + 16,
}

/** Limits of the predecessor's bundles, which are read whole. */
export const wholeZip: ZipLimits = { in_bytes: 64 * mebibyte, out_bytes: 512 * mebibyte, ratio: 200, entries: 16 }

/** Why a plan is too large for a bundle: its trials, or the items they are drawn from; null where it is not. */
export function planTooLarge({ benchmarks }: Pick<RunSpec, 'benchmarks'>): string | null {
  const trials = benchmarks.reduce((sum, { sampled_items, epochs }) => sum + sampled_items * epochs, 0)
  const items = benchmarks.reduce((sum, { total_items }) => sum + total_items, 0)
  if (Math.max(trials, items) <= bundleLimits.trials) return null
  return `a plan of ${trials} trials drawn from ${items} items is larger than any bundle, which has at most ${bundleLimits.trials}`
}

/** A bundle larger than any verifier takes. */
export class BundleTooLarge extends Error {}
