import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { PlannedBenchmark, RunSpec, Subset } from '../contract/run.ts'
import { legacySample } from './legacy-sample.ts'

/** One trial as planned: item (row index of the data, as text) × epoch, at a fixed place of the run's order. */
export type PlannedTrial = { ordinal: number; benchmark: string; item_id: string; epoch: number }

/** How many of `total` items a subset takes: the count, clamped to 1..total, else floor of the percentage, at least one. */
export function subsetSize(total: number, subset: Pick<Subset, 'pct' | 'count'>): number {
  if (subset.count !== null) return Math.min(Math.max(1, subset.count), total)
  return Math.min(total, Math.max(1, Math.floor((total * subset.pct) / 100)))
}

/**
 * Item ids of one benchmark in the order they are asked. `sha256`: ascending SHA-256 of `seed|benchmark|item`, so every smaller subset
 * is a prefix of every larger one and all models answer the same items. `legacy`: the predecessor's shuffle.
 */
export function sampleItems(benchmark: string, total: number, subset: Subset): string[] {
  if (subset.sampling === 'legacy') return legacySample(`${subset.seed}:${benchmark}`, total, subset)
  const encoder = new TextEncoder()
  const keyed = Array.from({ length: total }, (_, index) => {
    const item = String(index)
    return { item, key: bytesToHex(sha256(encoder.encode(`${subset.seed}|${benchmark}|${item}`))) }
  })
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return keyed.slice(0, subsetSize(total, subset)).map((entry) => entry.item)
}

/** All trials of a run: benchmark after benchmark, within each epoch after epoch, so that an unfinished run is a fair part of the whole. */
export function* planTrials(spec: Pick<RunSpec, 'benchmarks' | 'subset'>): Generator<PlannedTrial> {
  let ordinal = 0
  for (const benchmark of spec.benchmarks) {
    const items = sampleItems(benchmark.name, benchmark.total_items, spec.subset)
    for (let epoch = 0; epoch < benchmark.epochs; epoch++) {
      for (const item_id of items) yield { ordinal: ordinal++, benchmark: benchmark.name, item_id, epoch }
    }
  }
}

/** Trials a planned benchmark comes to. */
export function trialCount(benchmark: Pick<PlannedBenchmark, 'sampled_items' | 'epochs'>): number {
  return benchmark.sampled_items * benchmark.epochs
}
