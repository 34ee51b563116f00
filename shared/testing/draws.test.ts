import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})
async function withBudget(budget: string, seed = '') {
  vi.resetModules()
  vi.stubEnv('BENCH_DRAW_BUDGET', budget)
  vi.stubEnv('BENCH_DRAW_SEED', seed)
  return import('./draws.ts')
}

test('[CHECK452] the budget scales the number of cases, and no budget draws none', async () => {
  expect((await withBudget('')).draws(300)).toEqual({ numRuns: 300 })
  expect((await withBudget('8')).draws(300)).toEqual({ numRuns: 2400 })
  expect((await withBudget('0.001')).drawn(300)).toBe(1)
  expect((await withBudget('1', '7')).draws(5, { endOnFailure: true })).toEqual({ numRuns: 5, seed: 7, endOnFailure: true })
})

test('[CHECK452] a seed repeats the same cases', async () => {
  const { draws } = await withBudget('1', '11')
  expect(fc.sample(fc.nat(), draws(20))).toEqual(fc.sample(fc.nat(), draws(20)))
})

test('[CHECK452] positions are every stride-th one from a start below the stride, and all at a budget of the stride', async () => {
  const { positions } = await withBudget('1')
  const some = positions(100, 8)
  expect(some[0]).toBeLessThan(8)
  expect(some.slice(1).map((at, n) => at - some[n]!)).toEqual(Array(some.length - 1).fill(8))
  expect(some.at(-1)! + 8).toBeGreaterThanOrEqual(100)
  expect((await withBudget('8')).positions(100, 8)).toEqual(Array.from({ length: 100 }, (_, at) => at))
  expect((await withBudget('1')).positions(0, 8)).toEqual([])
})

test('[CHECK452] some of a list are as many as asked for, in its order and the same for a seed, and all at a larger budget', async () => {
  const cases = [...'abcdefgh']
  const { someOf } = await withBudget('1', '3')
  const some = someOf(cases, 3)
  expect(some).toHaveLength(3)
  expect(some).toEqual(cases.filter((one) => some.includes(one)))
  expect(someOf(cases, 3)).toEqual(some)
  expect(someOf(cases, 9)).toEqual(cases)
  expect((await withBudget('2')).someOf(cases, 3)).toEqual(cases)
})

test('[CHECK452] of costly tests as many are played as are asked for, all at a larger budget, and one too many is told', async () => {
  const played = (drawnTests: typeof import('./draws.ts').drawnTests) => {
    const titles: string[] = []
    const costly = drawnTests((title: string) => titles.push(title), 2, 5)
    for (const title of 'abcde') costly(title)
    expect(() => costly('f')).toThrow('more than the 5 tests')
    return titles
  }
  const some = played((await withBudget('1')).drawnTests)
  expect(some).toHaveLength(2)
  expect(some).toEqual([...'abcde'].filter((title) => some.includes(title)))
  expect(played((await withBudget('8')).drawnTests)).toEqual([...'abcde'])
})
