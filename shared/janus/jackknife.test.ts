import { expect, test } from 'vitest'
import { studentQuantile } from '../metrics/limits.ts'
import { type Drawn, spreads } from './jackknife.ts'

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
const drawn = (stratum: string, values: readonly number[], repeats = 1): Drawn<{ stratum: string; value: number }>[] =>
  values.flatMap((value, index) => Array.from({ length: repeats }, () => ({ stratum, cluster: String(index), one: { stratum, value } })))
const meansOf = (all: readonly { stratum: string; value: number }[]) => {
  const of = (name: string) => mean(all.filter(({ stratum }) => stratum === name).map(({ value }) => value))
  return [(of('one') + of('two')) / 2, of('one'), of('two')]
}
const [first, second] = [
  [0.2, 0.4, 0.9, 0.5],
  [0.1, 0.3, 0.2],
]
/** The usual variance of a mean. */
const varianceOfMean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + (one - mean(values)) ** 2, 0) / (values.length - 1) / values.length

test('[JANUS62] of means the interval is the usual one, of figures over several benchmarks that of their variances together', () => {
  const all = [...drawn('one', first), ...drawn('two', second)]
  const [whole, one] = meansOf(all.map((each) => each.one))
  const spread = spreads(all, meansOf)
  const half = (variance: number, items: number) => studentQuantile(items) * Math.sqrt(variance)
  expect(spread.limits(one!, 1, ['one']).high).toBeCloseTo(one! + half(varianceOfMean(first), 4), 12)
  const both = (varianceOfMean(first) + varianceOfMean(second)) / 4
  const limits = spread.limits(whole!, 0, ['one', 'two'])
  expect(limits.low).toBeCloseTo(whole! - half(both, 3), 12)
  expect(limits.high).toBeCloseTo(whole! + half(both, 3), 12)
})

test('[JANUS62] an item counts once however often it was asked, and limits stay within 0 and 1', () => {
  const once = spreads([...drawn('one', first), ...drawn('two', second)], meansOf).limits(0.5, 1, ['one'])
  const often = spreads([...drawn('one', first, 5), ...drawn('two', second)], meansOf).limits(0.5, 1, ['one'])
  expect(often.low).toBeCloseTo(once.low!, 12)
  const wide = spreads([...drawn('one', [0, 1]), ...drawn('two', second)], meansOf).limits(0.5, 1, ['one'])
  expect([wide.low, wide.high]).toEqual([0, 1])
})

test('[JANUS62] where a benchmark has fewer than two items or was not run there are no limits, and without a value there is nothing', () => {
  const spread = spreads([...drawn('one', first), ...drawn('two', [0.3])], meansOf)
  expect(spread.limits(0.4, 0, ['one', 'two'])).toEqual({ value: 0.4, low: null, high: null })
  expect(spread.limits(0.4, 0, ['one', 'three'])).toEqual({ value: 0.4, low: null, high: null })
  expect(spread.limits(null, 1, ['one'])).toEqual({ value: null, low: null, high: null })
  expect(spread.limits(0.5, 1, ['one']).low).not.toBeNull()
})
