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

/** Counts that are not zero, the greatest first. */
export function byFrequency(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts)
    .filter(([, times]) => times > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
