import { bundleLimits } from './bundle-limits.ts'
import type { BundleLine, ListedItem } from './bundle-schema.ts'
import type { Bytes } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { listedItem } from './export-item.ts'
import { leafHash, openTree } from './merkle.ts'
import type { OpenSha256 } from './running-sha256.ts'
import { addRecord, openSums, type Sums } from './summarise.ts'

/** What follows from the lines of `items.jsonl`: writer and verifier add them up by the same. */
export type Contents = {
  /** Adds the next line (without its end) of the benchmark at this place of the plan. Returns what is wrong with the artifacts it names. */
  add(benchmark: number, item: Pick<BundleLine, 'record' | 'created_at'>, line: Bytes): string | null
  sums: readonly Sums[]
  /** Size of every artifact by its hash, in the order in which they are first named. */
  artifacts: ReadonlyMap<string, number>
  items(): { count: number; root: string }
  /** The items of each benchmark in the predecessor's fields; null beyond `bundleLimits.listed_bytes`. */
  listed(): readonly ListedItem[][] | null
}

export function openContents(benchmarks: number, openSha256: OpenSha256): Contents {
  const sums = Array.from({ length: benchmarks }, openSums)
  const artifacts = new Map<string, number>()
  const tree = openTree()
  let listed: ListedItem[][] | null = Array.from({ length: benchmarks }, () => [])
  let bytes = 0
  return {
    sums,
    artifacts,
    add(benchmark, { record, created_at }, line) {
      tree.add(leafHash(line, openSha256))
      bytes += line.length
      if (bytes > bundleLimits.listed_bytes) listed = null
      listed?.[benchmark]?.push(listedItem(record, created_at))
      const own = sums[benchmark]
      if (own) addRecord(own, record)
      let odd: string | null = null
      for (const { sha256, bytes: size } of record.artifacts ?? []) {
        const before = artifacts.get(sha256)
        if (before === undefined) artifacts.set(sha256, size)
        else if (before !== size) odd = `artifact ${sha256} is named with ${before} and with ${size} bytes`
      }
      return odd
    },
    listed: () => listed,
    items: () => ({ count: tree.size(), root: toHex(tree.root()) }),
  }
}

/** The manifest's words on artifacts. */
export function countArtifacts(artifacts: ReadonlyMap<string, number>, enclosed: number) {
  return { count: artifacts.size, bytes: [...artifacts.values()].reduce((sum, bytes) => sum + bytes, 0), enclosed }
}
