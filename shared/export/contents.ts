import type { TrialRecord } from '../contract/trial.ts'
import type { Bytes } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { leafHash, openTree } from './merkle.ts'
import type { OpenSha256 } from './running-sha256.ts'
import { addRecord, openSums, type Sums } from './summarise.ts'

/** What follows from the lines of `items.jsonl`: writer and verifier add them up by the same. */
export type Contents = {
  /** Adds the next line (without its end) of the benchmark at this place of the plan. Returns what is wrong with the artifacts it names. */
  add(benchmark: number, record: TrialRecord, line: Bytes): string | null
  sums: readonly Sums[]
  /** Size of every artifact by its hash, in the order in which they are first named. */
  artifacts: ReadonlyMap<string, number>
  items(): { count: number; root: string }
}

export function openContents(benchmarks: number, openSha256: OpenSha256): Contents {
  const sums = Array.from({ length: benchmarks }, openSums)
  const artifacts = new Map<string, number>()
  const tree = openTree()
  return {
    sums,
    artifacts,
    add(benchmark, record, line) {
      tree.add(leafHash(line, openSha256))
      const own = sums[benchmark]
      if (own) addRecord(own, record)
      let odd: string | null = null
      for (const { sha256, bytes } of record.artifacts ?? []) {
        const before = artifacts.get(sha256)
        if (before === undefined) artifacts.set(sha256, bytes)
        else if (before !== bytes) odd = `artifact ${sha256} is named with ${before} and with ${bytes} bytes`
      }
      return odd
    },
    items: () => ({ count: tree.size(), root: toHex(tree.root()) }),
  }
}

/** The manifest's words on artifacts. */
export function countArtifacts(artifacts: ReadonlyMap<string, number>, enclosed: number) {
  return { count: artifacts.size, bytes: [...artifacts.values()].reduce((sum, bytes) => sum + bytes, 0), enclosed }
}
