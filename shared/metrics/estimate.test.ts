import { expect, test } from 'vitest'
import { groupEstimate, nothingScored, overallEstimate, tallyEstimate } from './estimate.ts'
import { computeMetrics } from './metrics.ts'
import type { MetricRow } from './port.ts'
import { planOf } from './testing/plans.ts'

const tally = (right: number, wrong: number, more: { failed?: number; items?: number } = {}) => ({
  total: right + wrong + (more.failed ?? 0),
  right,
  wrong,
  failed: 0,
  score_sum: right,
  flags: {},
  ...more,
})
const width = ({ low, high }: { low: number | null; high: number | null }) => high! - low!
/** One epoch: so many items right and wrong. */
const rowsOf = (right: number, wrong: number): MetricRow[] =>
  Array.from({ length: right + wrong }, (_, i) => ({
    item_id: String(i),
    epoch: 0,
    group: null,
    outcome: i < right ? 'right' : 'wrong',
    score: i < right ? 1 : 0,
    answer: null,
    flags: [],
    detail: {},
    options: null,
  }))

test('[STAT9] nothing scored has no score, and failures are no part of it', () => {
  expect(tallyEstimate(tally(0, 0), planOf(100))).toEqual(nothingScored)
  expect(tallyEstimate(tally(3, 1, { failed: 2 }), planOf(100))).toMatchObject({ value: 0.75, n: 4, trials: 4 })
})

test('[STAT9] with one epoch the counts of a run give what its items give, for both targets, while it goes on and when it has ended', () => {
  for (const [right, wrong, items, of] of [
    [30, 10, 40, 400],
    [30, 10, 80, 400],
    [30, 10, 40, 40],
  ] as const) {
    const live = tallyEstimate(tally(right, wrong), planOf(items, { of }))
    const { accuracy } = computeMetrics(['accuracy'], rowsOf(right, wrong), planOf(items, { of }))
    for (const target of ['as_answered', 'expected'] as const) {
      expect(live.limits![target].low).toBeCloseTo(accuracy!.limits![target].low, 10)
      expect(live.limits![target].high).toBeCloseTo(accuracy!.limits![target].high, 10)
    }
    expect([live.n, live.trials, live.target]).toEqual([accuracy!.n, accuracy!.trials, accuracy!.target])
  }
})

test('[STAT9] repeats of an item do not narrow the interval of a subset, a drawn subset does', () => {
  const once = tallyEstimate(tally(60, 20, { items: 80 }), planOf(80, { of: 100_000 }))
  const repeated = tallyEstimate(tally(240, 80, { items: 80 }), planOf(80, { of: 100_000, epochs: 4 }))
  expect(width(repeated)).toBeCloseTo(width(once), 2)
  expect(width(tallyEstimate(tally(60, 20), planOf(80, { of: 100 })))).toBeLessThan(width(once))
})

test('[STAT85] while a run goes on n counts items too, also where items are asked more than once', () => {
  const plan = planOf(10, { of: 50, epochs: 4 })
  expect(tallyEstimate(tally(6, 2, { items: 8 }), plan)).toMatchObject({ n: 8, trials: 8 })
  expect(tallyEstimate(tally(20, 5, { items: 10 }), plan)).toMatchObject({ n: 10, trials: 25 })
  // Runs from before items were counted.
  expect(tallyEstimate(tally(30, 10), plan)).toMatchObject({ n: 10, trials: 40 })
})

test('[STAT84] a group that is still counted has its own population, or none', () => {
  const whole = tally(100, 100)
  const rounded = ({ low, high }: { low: number | null; high: number | null }) => [low, high].map((one) => Number(one!.toFixed(3)))
  const known = planOf(200, { of: 12_032 }, { 'computer science': 410 })
  expect(rounded(groupEstimate(tally(60, 62), 'computer science', known, whole))).toEqual([0.418, 0.566])
  expect(rounded(groupEstimate(tally(60, 62), 'law', known, whole))).toEqual([0.404, 0.58])
  expect(rounded(groupEstimate(tally(60, 62), 'constructor', known, whole))).toEqual([0.404, 0.58])
  expect(groupEstimate(tally(30, 10), 'law', planOf(200), whole)).toMatchObject({ value: 0.75, low: 0.75, high: 0.75 })
  expect(width(groupEstimate(tally(30, 10), 'law', planOf(200), tally(99, 100)))).toBeGreaterThan(0.1)
})

test('[STAT9] the mean’s interval lies between and narrows with more benchmarks', () => {
  const one = { value: 0.5, low: 0.4, high: 0.6, n: 100, method: 'wilson' }
  const four = overallEstimate([one, one, one, one])
  expect(four).toMatchObject({ value: 0.5, n: 400 })
  expect(four.low).toBeCloseTo(0.45)
  expect(four.high).toBeCloseTo(0.55)
  expect(overallEstimate([one, nothingScored])).toMatchObject({ value: null, n: 100 })
  expect(overallEstimate([])).toEqual(nothingScored)
})

test('[STAT80] a mean speaks of scores as answered only where all of them do', () => {
  const limits = { as_answered: { low: 0.45, high: 0.55 }, expected: { low: 0.4, high: 0.6 } }
  const cold = { value: 0.5, ...limits.as_answered, n: 100, trials: 100, method: '', target: 'as_answered' as const, limits }
  const warm = { ...cold, ...limits.expected, target: 'expected' as const }
  expect(overallEstimate([cold, cold])).toMatchObject({ target: 'as_answered', trials: 200 })
  const mixed = overallEstimate([cold, warm])
  expect(mixed.target).toBe('expected')
  expect(width(mixed)).toBeCloseTo(0.2 / Math.SQRT2, 10)
})
