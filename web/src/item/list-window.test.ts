import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headPx, pageSize, pagesAround, pagesKept, stepTarget, topToShow, travelTarget } from './list-window.ts'

test('[UI21] the pages in view are asked for first, then their neighbours, and none beyond the list', () => {
  expect(pagesAround(0, 40, 12_032)).toEqual([0, 1])
  expect(pagesAround(190, 230, 12_032)).toEqual([1, 2, 3, 0])
  expect(pagesAround(12_000, 12_032, 12_032)).toEqual([120, 119])
  expect(pagesAround(0, 30, 30)).toEqual([0])
  expect(pagesAround(0, 0, 0)).toEqual([])
  expect(pagesAround(12_000, 12_040, 50)).toEqual([])
})

test('[UI21] every line in view is on a page that is asked for, and pages stay few', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300_000 }), fc.nat(300_000), fc.integer({ min: 1, max: 120 }), (count, at, height) => {
      const first = Math.min(at, count - 1)
      const end = Math.min(count, first + height)
      const pages = pagesAround(first, end, count)
      for (const index of [first, end - 1]) expect(pages).toContain(Math.floor(index / pageSize))
      expect(pages.length).toBeLessThanOrEqual(5)
      expect(new Set(pages).size).toBe(pages.length)
    }),
  )
})

test('[UI21] what is kept of a long travel is what lies nearest', () => {
  expect(pagesKept([0, 1, 50, 51, 52, 120], 51, 3).sort((a, b) => a - b)).toEqual([50, 51, 52])
  expect(pagesKept([3, 4], 100, 5)).toEqual([4, 3])
})

const line = (before: number) => ({ before, listed: true })

test('[UI61] twenty quick steps go twenty lines on, whatever has been shown meanwhile', () => {
  let way: number | undefined
  for (let press = 0; press < 20; press += 1) way = stepTarget(line(7), way, 1, 226)
  expect(way).toBe(27)
  expect(stepTarget(line(27), undefined, -1, 226)).toBe(26)
})

test('[UI61] a step stops at the ends, and does nothing where no line is open', () => {
  expect(stepTarget(line(225), undefined, 1, 226)).toBeUndefined()
  expect(stepTarget(line(0), undefined, -1, 226)).toBeUndefined()
  expect(stepTarget(undefined, undefined, 1, 226)).toBeUndefined()
  expect(stepTarget(line(0), undefined, 1, 0)).toBeUndefined()
})

test('[UI61] an item that the filter leaves out has the lines on both sides of its place as neighbours', () => {
  expect(stepTarget({ before: 4, listed: false }, undefined, 1, 9)).toBe(4)
  expect(stepTarget({ before: 4, listed: false }, undefined, -1, 9)).toBe(3)
  expect(stepTarget({ before: 0, listed: false }, undefined, 1, 9)).toBe(0)
  expect(stepTarget({ before: 9, listed: false }, undefined, 1, 9)).toBe(8)
})

test('[UI60] keys travel a list to its ends and by what is in view', () => {
  expect(travelTarget('End', 3, 20, 12_032)).toBe(12_031)
  expect(travelTarget('Home', 9000, 20, 12_032)).toBe(0)
  expect(travelTarget('PageDown', 100, 20, 12_032)).toBe(120)
  expect(travelTarget('PageUp', 10, 20, 12_032)).toBe(0)
  expect(travelTarget('ArrowDown', 12_031, 20, 12_032)).toBe(12_031)
  expect(travelTarget('x', 1, 20, 12_032)).toBeUndefined()
})

test('[UI66] a line is shown with one to spare on both sides, and a list whose line is in view stays where it is', () => {
  const window = { topPx: 3600, heightPx: 600, rowPx: 36 }
  expect(topToShow(110, window)).toBe(3600)
  expect(topToShow(100, window)).toBe(99 * 36)
  expect(topToShow(0, window)).toBe(0)
  expect(topToShow(500, window)).toBe(headPx + 502 * 36 - 600)
  fc.assert(
    fc.property(fc.nat(12_000), fc.nat(400_000), fc.integer({ min: 140, max: 2000 }), (index, topPx, heightPx) => {
      const top = topToShow(index, { topPx, heightPx, rowPx: 36 })
      expect(index * 36).toBeGreaterThanOrEqual(top)
      expect(headPx + (index + 1) * 36).toBeLessThanOrEqual(top + heightPx)
      expect(topToShow(index, { topPx: top, heightPx, rowPx: 36 })).toBe(top)
    }),
  )
})
