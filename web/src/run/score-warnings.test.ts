import { expect, test } from 'vitest'
import { scoreWarnings } from './score-warnings.ts'

const estimate = { value: null, low: null, high: null, n: 0, method: '' }
const of = (...warnings: (string | null)[]) =>
  scoreWarnings(
    warnings.map((_, at) => ({ benchmark_name: `b${at}`, display_name: `B${at}` })),
    { benchmarks: Object.fromEntries(warnings.map((warning, at) => [`b${at}`, { estimate, groups: [], warning }])) } as never,
  )

test('[UI520] a warning beside a score stands once: above, or in the rows where there are many', () => {
  expect(of(null)).toEqual({ above: [], inRows: false })
  expect(of('cut')).toEqual({ above: ['cut'], inRows: false })
  expect(of('cut', null, 'full')).toEqual({ above: ['B0: cut', 'B2: full'], inRows: false })
  expect(of('a', 'b', 'c')).toMatchObject({ above: [expect.stringContaining('3 benchmarks: see their rows')], inRows: true })
})
