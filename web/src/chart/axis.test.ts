import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisOf, place } from './axis.ts'

test('[UI3] an axis spans whole tens around everything shown', () => {
  expect(axisOf([{ value: 0.72, low: 0.69, high: 0.75 }])).toEqual({ from: 0.6, to: 0.8, ticks: [0.6, 0.7, 0.8] })
  expect(axisOf([{ value: 0.98, low: 0.97, high: 0.99 }])).toEqual({ from: 0.8, to: 1, ticks: [0.8, 0.9, 1] })
  expect(axisOf([{ value: null, low: null, high: null }])).toEqual({ from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] })
})

test('[UI3] any set of intervals fits its axis, which is at least 20 points wide with two to six ticks', () => {
  const estimate = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([a, b]) => ({ value: (a + b) / 2, low: Math.min(a, b), high: Math.max(a, b) }))
  fc.assert(
    fc.property(fc.array(estimate, { minLength: 1, maxLength: 8 }), (shown) => {
      const axis = axisOf(shown)
      expect(axis.to - axis.from).toBeGreaterThanOrEqual(0.2 - 1e-9)
      expect(axis.ticks.length).toBeGreaterThanOrEqual(2)
      expect(axis.ticks.length).toBeLessThanOrEqual(6)
      for (const { low, high } of shown) {
        expect(low).toBeGreaterThanOrEqual(axis.from - 1e-8)
        expect(high).toBeLessThanOrEqual(axis.to + 1e-8)
      }
    }),
  )
})

test('[UI3] places are per cents of the axis and never leave it', () => {
  const axis = { from: 0.6, to: 0.8, ticks: [] }
  expect([place(axis, 0.7), place(axis, 0.2), place(axis, 0.9)]).toEqual([expect.closeTo(50), 0, 100])
})
