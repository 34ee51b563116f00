import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowHeight, rowWindow } from './row-window.ts'

test('[UI21] a long list draws what is in view and a little around it', () => {
  expect(rowWindow(100_000, 0, 720)).toEqual([0, 30])
  expect(rowWindow(100_000, 36 * 500, 720)).toEqual([490, 530])
  expect(rowWindow(5, 0, 720)).toEqual([0, 5])
  expect(rowWindow(0, 0, 720)).toEqual([0, 0])
})

test('[UI21] every row in view is drawn, and never more than the screen needs', () => {
  fc.assert(
    fc.property(fc.nat(200_000), fc.nat(10_000_000), fc.integer({ min: 100, max: 3000 }), (count, top, height) => {
      const [first, end] = rowWindow(count, top, height)
      expect(first).toBeLessThanOrEqual(end)
      expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 21)
      const inView = Math.floor((top + height / 2) / rowHeight)
      if (inView < count) expect(first <= inView && inView < end).toBe(true)
    }),
  )
})
