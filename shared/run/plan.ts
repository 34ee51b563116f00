import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { PlannedBenchmark, RunSpec, Subset, SubsetRounding } from '../contract/run.ts'
import { legacySample } from './legacy-sample.ts'

/** One trial as planned: item (row index of the data, as text) × epoch, at a fixed place of the run's order. */
export type PlannedTrial = { ordinal: number; benchmark: string; item_id: string; epoch: number }

/** How many of `total` items a subset takes: the count, clamped to 1..total, else the percentage rounded as the benchmark has it, at least one. */
export function subsetSize(total: number, subset: Pick<Subset, 'pct' | 'count'>, rounding: SubsetRounding = 'floor'): number {
  if (subset.count !== null) return Math.min(Math.max(1, subset.count), total)
  return Math.min(total, Math.max(1, Math[rounding]((total * subset.pct) / 100)))
}

/**
 * Item ids of one benchmark in the order they are asked. `sha256`: ascending SHA-256 of `seed|benchmark|item`, so every smaller subset
 * is a prefix of every larger one and all models answer the same items. `legacy`: the predecessor's shuffle.
 */
export function sampleItems(benchmark: string, total: number, subset: Subset, rounding?: SubsetRounding): string[] {
  if (subset.sampling === 'legacy') return legacySample(`${subset.seed}:${benchmark}`, total, subset)
  const hashOf = itemHasher(new TextEncoder().encode(`${subset.seed}|${benchmark}|`))
  // The first six bytes decide, whole hashes only where those agree: as texts they would be twenty megabytes of 100,000 items.
  const heads = new Float64Array(total)
  for (let index = 0; index < total; index++)
    heads[index] = hashOf(index)
      .subarray(0, 6)
      .reduce((head, byte) => head * 256 + byte, 0)
  const order = new Uint32Array(total).map((_, index) => index)
  order.sort((a, b) => heads[a]! - heads[b]! || (bytesToHex(hashOf(a)) < bytesToHex(hashOf(b)) ? -1 : 1))
  return Array.from(order.subarray(0, subsetSize(total, subset, rounding)), String)
}

/** A share of some of a benchmark's items, drawn as it would be of all: every smaller share is a prefix of every larger one. */
export function drawAmong(benchmark: string, chosen: readonly number[], total: number, subset: Subset): number[] {
  const among = new Set(chosen)
  const order = sampleItems(benchmark, total, { ...subset, pct: 100, count: null }).map(Number)
  return order.filter((item) => among.has(item)).slice(0, subsetSize(chosen.length, subset))
}

/** SHA-256 of a text that ends in a number, whose beginning is encoded once. */
function itemHasher(prefix: Uint8Array): (index: number) => Uint8Array {
  const text = new Uint8Array(prefix.length + 20)
  text.set(prefix)
  return (index) => {
    const digits = String(index)
    for (let at = 0; at < digits.length; at++) text[prefix.length + at] = digits.charCodeAt(at)
    return sha256(text.subarray(0, prefix.length + digits.length))
  }
}

/** All trials of a run: benchmark after benchmark, within each epoch after epoch, so that an unfinished run is a fair part of the whole. */
export function* planTrials(spec: Pick<RunSpec, 'benchmarks' | 'subset'>): Generator<PlannedTrial> {
  let ordinal = 0
  for (const benchmark of spec.benchmarks) {
    const { name, total_items, subset_rounding } = benchmark
    const items = benchmark.items?.map(String) ?? sampleItems(name, total_items, spec.subset, subset_rounding)
    for (let epoch = 0; epoch < benchmark.epochs; epoch++) {
      for (const item_id of items) yield { ordinal: ordinal++, benchmark: benchmark.name, item_id, epoch }
    }
  }
}

/** Trials a planned benchmark comes to. */
export function trialCount(benchmark: Pick<PlannedBenchmark, 'sampled_items' | 'epochs'>): number {
  return benchmark.sampled_items * benchmark.epochs
}
