import { expect, test } from 'vitest'
import { cards } from '../benchmarks/cards.ts'
import type { Board } from '../contract/board.ts'
import type { Estimate } from '../contract/estimate.ts'
import { chooseBoard } from './choose-board.ts'
import { ranksOf } from './rank-rows.ts'

const estimate = (value: number, half: number): Estimate => {
  const limits = { low: value - half, high: value + half }
  return { value, low: value, high: value, n: 100, method: 'test', limits: { as_answered: { low: value, high: value }, expected: limits } }
}
type Row = Parameters<typeof ranksOf>[0][number]
/** A row whose mean and best are the same score. */
const row = (value: number, half: number): Row => {
  const one = estimate(value, half)
  return { mean: { estimate: one, cost_usd: null, duration_ms: null }, best: { estimate: one } as Row['best'] }
}

test('[API176] rows share a rank while the interval of the difference to the first of them holds zero', () => {
  // √(0.03² + 0.04²) = 0.05: intervals of 0.80 ± 0.03 and 0.745 ± 0.04 overlap, but the difference of 0.055 is found.
  expect(ranksOf([row(0.8, 0.03), row(0.751, 0.04), row(0.745, 0.04), row(0.7, 0.04), row(0.6, 0.04)], 'mean')).toEqual([1, 1, 3, 3, 5])
  expect(ranksOf([row(0.8, 0.03), row(0.745, 0.04)], 'best')).toEqual([1, 2])
  expect(ranksOf([], 'mean')).toEqual([])
})

test('[API176] a rank goes by what the model would score on average, by the mean or the best as the rows are sorted', () => {
  const better = { ...row(0.8, 0.01), best: { estimate: estimate(0.9, 0.01) } as Row['best'] }
  const other = row(0.8, 0.01)
  expect(ranksOf([better, other], 'mean')).toEqual([1, 1])
  expect(ranksOf([better, other], 'best')).toEqual([1, 2])
  const { limits: _, ...plain } = estimate(0.7, 0)
  const old = { ...row(0, 0), mean: { estimate: { ...plain, low: 0.55, high: 0.85 }, cost_usd: null, duration_ms: null } }
  expect(ranksOf([row(0.8, 0.01), old], 'mean')).toEqual([1, 1])
})

const board = (id: string, more: Partial<Board> = {}): Board => ({
  ...{ id, benchmark: 'mmlu_pro', version: 1, scorer_version: 1, profile: 'official', models: 1, ranked_runs: 1, apart_runs: 0 },
  data: { source: 'pinned', repo: 'r', revision: 'x' },
  ...more,
})
const sample: Partial<Board> = { data: { source: 'sample', repo: 'r', revision: 'x' } }
const chosen = (boards: Board[], wanted: Parameters<typeof chooseBoard>[1] = {}) =>
  [boards, boards.toReversed()].map((order) => chooseBoard(order, wanted, cards)?.id)

test('[API177] the shown board has ranked runs, real data, most runs of its benchmark, the newest revision and the usual profile', () => {
  const pairs: [Board, Board][] = [
    [board('a', sample), board('b', { ranked_runs: 0, version: 2 })],
    [board('a'), board('b', { ...sample, version: 2, ranked_runs: 9 })],
    [board('a', { benchmark: 'ifeval', ranked_runs: 2 }), board('b', { version: 9 })],
    [board('a', { version: 2 }), board('b', { ranked_runs: 9 })],
    [board('a', { scorer_version: 2 }), board('b', { ranked_runs: 9 })],
    [board('a'), board('b', { profile: 'builtin', ranked_runs: 9 })],
    [board('a', { profile: 'x', ranked_runs: 2 }), board('b', { profile: 'y' })],
  ]
  for (const pair of pairs) expect(chosen(pair)).toEqual(['a', 'a'])
})

test('[API177] what is named is shown, and nothing where nothing fits', () => {
  const boards = [board('a', { ranked_runs: 9 }), board('b', { benchmark: 'ifeval' }), board('c', { profile: 'builtin' })]
  expect(chosen(boards, { benchmark: 'ifeval' })).toEqual(['b', 'b'])
  expect(chosen(boards, { profile: 'builtin' })).toEqual(['c', 'c'])
  expect(chosen(boards, { board: 'c' })).toEqual(['c', 'c'])
  expect(chosen(boards, { board: 'c', benchmark: 'ifeval' })).toEqual([undefined, undefined])
  expect(chosen([])).toEqual([undefined, undefined])
})
