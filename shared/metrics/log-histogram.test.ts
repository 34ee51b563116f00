import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LogHistogram } from '../contract/streaming.ts'
import { boundOf, bucketOf, histogramOf, mergeHistograms, percentileOf } from './log-histogram.ts'

const value = fc.oneof(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 2, noNaN: true }), fc.constant(0))
const values = fc.array(value, { maxLength: 300 })

test('[STREAM8] the histogram of two merged is that of all their values, in any order', () => {
  fc.assert(
    fc.property(values, values, values, (a, b, c) => {
      const whole = histogramOf([...a, ...b, ...c])
      expect(mergeHistograms([histogramOf(a), histogramOf(b), histogramOf(c)])).toEqual(whole)
      expect(mergeHistograms([histogramOf(c), mergeHistograms([histogramOf(b), histogramOf(a)])])).toEqual(whole)
      expect(LogHistogram.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole)
    }),
  )
})

test('[STREAM8] a percentile is within 2 % of the value that has its rank, and never beyond the extremes', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), fc.constantFrom(0, 0.01, 0.5, 0.9, 0.99, 1), (list, share) => {
      const sorted = list.toSorted((a, b) => a - b)
      const true_ = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
      const found = percentileOf(histogramOf(list), share)!
      expect(Math.abs(found - true_)).toBeLessThanOrEqual(Math.max(0.001, true_ * 0.02))
      expect(found).toBeGreaterThanOrEqual(sorted[0]!)
      expect(found).toBeLessThanOrEqual(sorted.at(-1)!)
    }),
  )
  expect(percentileOf(histogramOf([]), 0.5)).toBeNull()
})

test('[STREAM8] every value is in the bucket between its bounds, at them too', () => {
  fc.assert(
    fc.property(value, (ms) => {
      const bucket = bucketOf(ms)
      expect(boundOf(bucket)).toBeLessThanOrEqual(ms)
      expect(boundOf(bucket + 1)).toBeGreaterThan(ms)
    }),
  )
  for (const bucket of [1, 2, 300, 700])
    expect([bucketOf(boundOf(bucket)), boundOf(bucket + 1) / boundOf(bucket)]).toEqual([bucket, expect.closeTo(1.04, 9)])
  expect(bucketOf(0)).toBe(0)
  expect(bucketOf(1e300)).toBe(bucketOf(1e11))
})
