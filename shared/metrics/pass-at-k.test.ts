import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metricRowOf } from './metric-row.ts'
import { passAtKOf } from './pass-at-k.ts'

const choose = (n: number, k: number): number => (k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)

test('[STAT6] pass@k is 1 − C(n−c,k)/C(n,k)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(20), fc.integer({ min: 1, max: 20 }), (n, c, k) => {
      fc.pre(c <= n && k <= n)
      expect(passAtKOf(n, c, k)).toBeCloseTo(1 - choose(n - c, k) / choose(n, k), 10)
    }),
  )
})

test('[STAT7] the number of choices is the length of the options of a record', () => {
  const record = { item_id: '0', epoch: 0, group: null, outcome: 'right', score: 1, answer: 'A', flags: [], detail: {} } as const
  expect(metricRowOf({ ...record, flags: [], item_metadata: { options: ['x', 'y'] } }).options).toBe(2)
  expect(metricRowOf({ ...record, flags: [], item_metadata: {} }).options).toBeNull()
})
