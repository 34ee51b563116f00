import type { Tally } from '#shared/contract/run.ts'

/** The counts of several benchmarks together. */
export function sumTallies(tallies: readonly Pick<Tally, 'right' | 'wrong' | 'failed'>[]): Pick<Tally, 'right' | 'wrong' | 'failed'> {
  const sum = { right: 0, wrong: 0, failed: 0 }
  for (const tally of tallies) {
    sum.right += tally.right
    sum.wrong += tally.wrong
    sum.failed += tally.failed
  }
  return sum
}

/** Flags of all benchmarks with how often each was set, most frequent first. */
export function countFlags(tallies: readonly Pick<Tally, 'flags'>[]): [string, number][] {
  const counts: Record<string, number> = {}
  for (const tally of tallies) for (const [flag, times] of Object.entries(tally.flags)) counts[flag] = (counts[flag] ?? 0) + times
  return Object.entries(counts)
    .filter(([, times]) => times > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
