import { expect, test } from 'vitest'
import { targets } from '#shared/contract/estimate.ts'
import { betaQuantiles } from './beta.ts'
import { coverageTable, settings, worstOf } from './coverage-table.ts'
import { simulateCoverage } from './simulate.ts'

const subsets_pct = [5, 10, 25, 50, 90, 99, 100]

test.each(settings.betas.flatMap((beta) => [30, 198].map((items) => ({ items, beta }))))(
  '[STAT83] the intervals of both targets hold in 94.5 % of simulated runs: $items items, Beta($beta)',
  ({ items, beta }) => {
    const coverage = simulateCoverage({ items, beta, epochs: 5, subsets_pct, simulations: 12_000, seed: 7 })
    for (const target of targets) expect([target, worstOf(coverage, target)]).toEqual([target, expect.toSatisfy((share) => share >= 0.945)])
    // Nothing is left open of what was answered, and an interval that always holds would say nothing.
    expect(coverage.as_answered.map((row) => row.at(-1))).toEqual([1, 1, 1, 1, 1])
    expect(coverage.expected.at(-1)!.at(-1)).toBeLessThan(0.98)
  },
)

test('[STAT83] a seed simulates the same every time, and the drawn probabilities are those of the distribution', () => {
  const few = { items: 30, beta: [5, 5], epochs: 2, subsets_pct, simulations: 50 } as const
  expect(simulateCoverage({ ...few, seed: 3 })).toEqual(simulateCoverage({ ...few, seed: 3 }))
  expect(simulateCoverage({ ...few, seed: 3 })).not.toEqual(simulateCoverage({ ...few, seed: 4 }))
  const drawn = betaQuantiles([1.2, 0.8])
  const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length
  expect(mean).toBeCloseTo(0.6, 4)
  expect(drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / drawn.length).toBeCloseTo(0.08, 4)
})

test('[STAT83] the table has a line for every number of epochs and subset, and names the worst cell', () => {
  const row = (share: number) => settings.subsets_pct.map((pct) => (pct === 50 ? share : 0.99))
  const cells = { as_answered: [row(0.96), row(0.97)], expected: [row(0.95), row(0.941)] }
  const lines = coverageTable(30, [cells, cells])
  expect(lines.filter((line) => line.includes(' %'))).toHaveLength(2 * settings.subsets_pct.length)
  expect(lines).toContainEqual(expect.stringMatching(/^ +2 +50 % +0\.9700 +0\.9410 +0\.9700 +0\.9410$/))
  expect(lines.at(-2)).toMatch(/worst +0\.9600 +0\.9410 +0\.9600 +0\.9410$/)
})
