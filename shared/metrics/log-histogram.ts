import type { LogHistogram } from '../contract/streaming.ts'

/** Each bucket ends 4 % above its beginning. */
const growth = 1.04
const lowest = 0.001

/** Where each bucket from the second on begins, up to ten billion; what is above is in the last. Multiplied up, so that every machine has the same. */
const bounds: number[] = [lowest]
while (bounds.at(-1)! < 1e10) bounds.push(bounds.at(-1)! * growth)

/** The bucket of a value, 0 or above. */
export function bucketOf(value: number): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (bounds[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a bucket begins; the last has no end. */
export const boundOf = (bucket: number): number => (bucket === 0 ? 0 : bounds[bucket - 1]!)

/** The histogram of these values, none below 0. */
export function histogramOf(values: Iterable<number>): LogHistogram {
  const counts = new Map<number, number>()
  let n = 0
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (const value of values) {
    n++
    if (value < least) least = value
    if (value > most) most = value
    const bucket = bucketOf(value)
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  }
  return n === 0 ? nothing : { n, least, most, buckets: ascending(counts) }
}

const nothing: LogHistogram = { n: 0, least: null, most: null, buckets: [] }

/** The histogram of all that these have counted. */
export function mergeHistograms(parts: readonly LogHistogram[]): LogHistogram {
  const full = parts.filter((part) => part.n > 0)
  if (full.length === 0) return nothing
  const counts = new Map<number, number>()
  for (const { buckets } of full) for (const [bucket, count] of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + count)
  const n = full.reduce((sum, part) => sum + part.n, 0)
  const least = full.reduce((found, part) => Math.min(found, part.least!), Number.POSITIVE_INFINITY)
  const most = full.reduce((found, part) => Math.max(found, part.most!), 0)
  return { n, least, most, buckets: ascending(counts) }
}

const ascending = (counts: ReadonlyMap<number, number>): [number, number][] => [...counts].sort(([a], [b]) => a - b)

/** The nearest-rank percentile, within 2 % of the value that has this rank and never beyond the extremes; null without values. */
export function percentileOf({ n, least, most, buckets }: LogHistogram, share: number): number | null {
  if (n === 0) return null
  const rank = Math.max(1, Math.ceil(share * n))
  if (rank === n) return most
  let seen = 0
  for (const [bucket, count] of buckets) {
    seen += count
    if (seen >= rank) return Math.min(Math.max(middleOf(bucket), least!), most!)
  }
  return most
}

/** The value that is as far, in parts of itself, from both ends. */
function middleOf(bucket: number): number {
  if (bucket === 0) return 0
  const from = boundOf(bucket)
  const to = bucket < bounds.length ? bounds[bucket]! : from
  return (2 * from * to) / (from + to)
}
