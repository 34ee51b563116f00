import type { BoardRow, BoardSort } from '../contract/board.ts'
import type { Estimate } from '../contract/estimate.ts'

/** A score with 95 % limits of what the model would score on average. */
type Limited = { value: number; low: number; high: number }

/** The limits for the expected score: they say how sure a comparison of models is, also where a single run's score is exact. */
function expectedOf({ value, low, high, limits }: Estimate): Limited {
  return { value: value ?? 0, low: limits?.expected.low ?? low ?? 0, high: limits?.expected.high ?? high ?? 1 }
}

/**
 * Whether the 95 % interval of the difference of two independent scores leaves out zero. The interval is made of theirs by adding squares
 * (Newcombe, 1998), so it finds differences that overlapping intervals hide. Models that answer the same items err alike, which makes the
 * true interval narrower: the test errs on the side of a tie.
 */
function isBelow(lower: Limited, upper: Limited): boolean {
  return upper.value - lower.value > Math.hypot(upper.value - upper.low, lower.high - lower.value)
}

/** Ranks of rows that come best first: all that cannot be told from the first of their group share its place. Not corrected for many comparisons. */
export function ranksOf(rows: readonly Pick<BoardRow, 'mean' | 'best'>[], sort: BoardSort): number[] {
  const scores = rows.map((row) => expectedOf(row[sort].estimate))
  const ranks: number[] = []
  for (const [at, score] of scores.entries()) {
    const before = ranks.at(-1) ?? 1
    ranks.push(isBelow(score, scores[before - 1]!) ? at + 1 : before)
  }
  return ranks
}
