import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemMean } from './item-mean.ts'
import { limitsOf, sampleFrom } from './limits.ts'
import { computeMetrics } from './metrics.ts'
import type { MetricRow } from './port.ts'
import { planOf } from './testing/plans.ts'

const row = (item: number, epoch: number, score: number | null, more: Partial<MetricRow> = {}): MetricRow => ({
  item_id: String(item),
  epoch,
  group: null,
  outcome: score === null ? 'failed' : score === 1 ? 'right' : 'wrong',
  score,
  answer: null,
  flags: [],
  detail: {},
  options: null,
  ...more,
})

/** `right` of `items` items right in their only epoch. */
const rows = (items: number, right: number): MetricRow[] => Array.from({ length: items }, (_, i) => row(i, 0, i < right ? 1 : 0))
const accuracy = (of: readonly MetricRow[], plan: Parameters<typeof planOf>) => computeMetrics(['accuracy'], of, planOf(...plan)).accuracy!
const width = ({ low, high }: { low: number; high: number }) => high - low

test('[STAT80] every estimate has the intervals of both targets, and shows that of its own', () => {
  const cold = accuracy(rows(20, 15), [20, { of: 100 }])
  expect(cold).toMatchObject({ target: 'as_answered', ...cold.limits!.as_answered })
  const warm = accuracy(rows(20, 15), [20, { of: 100, temperature: 0.6 }])
  expect(warm).toMatchObject({ target: 'expected', limits: cold.limits, ...cold.limits!.expected })
  expect(accuracy(rows(20, 15), [20, { of: 100, temperature: null }]).target).toBe('expected')
})

test('[STAT81] what is expected of the model is never surer than its answers: asking more of the set does not hide their noise', () => {
  const limits = (n: number) => accuracy(rows(n, n / 2), [n, { of: 1000, temperature: 1 }]).limits!.expected
  expect(width(limits(990))).toBeGreaterThan(width(limits(1000)))
  expect(width(limits(1000)) / 2).toBeCloseTo(0.0311, 3)
})

test('[STAT81] repeats tell noise from differences between items: where they agree a whole set is known well, where they do not it is not', () => {
  const whole = (score: (item: number, epoch: number) => 0 | 1) =>
    accuracy(
      Array.from({ length: 400 }, (_, i) => row(i % 100, Math.floor(i / 100), score(i % 100, Math.floor(i / 100)))),
      [100, { epochs: 4, temperature: 0.6 }],
    )
  const steady = whole((item) => (item < 50 ? 1 : 0))
  const noisy = whole((item, epoch) => ((item + epoch) % 2 === 0 ? 1 : 0))
  expect([steady.value, noisy.value]).toEqual([0.5, 0.5])
  expect(width(steady.limits!.expected)).toBeLessThan(0.03)
  expect(width(noisy.limits!.expected)).toBeGreaterThan(0.09)
  expect(steady).toMatchObject({ n: 100, trials: 400, method: 'Wilson, noise of generation from repeats' })
})

test('[STAT81] with one epoch the noise may be all there is, so that nothing is corrected', () => {
  const subset = accuracy(rows(300, 200), [300, { of: 400, temperature: 1 }])
  const open = accuracy(rows(300, 200), [300, { of: 1_000_000, temperature: 1 }])
  expect(subset.low).toBeCloseTo(open.low!, 12)
  expect(subset.high).toBeCloseTo(open.high!, 12)
})

test('[STAT82] the score as answered narrows as the set fills up, and is a point where every item was asked and answered', () => {
  const limits = (n: number) => accuracy(rows(n, n / 2), [n, { of: 1000 }])
  expect(width(limits(500).limits!.as_answered)).toBeGreaterThan(width(limits(900).limits!.as_answered))
  expect(limits(1000)).toMatchObject({ value: 0.5, low: 0.5, high: 0.5 })
  expect(width(limits(1000).limits!.expected)).toBeGreaterThan(0.05)
})

test('[STAT82] scores that are no round numbers are a point too', () => {
  const thirds = Array.from({ length: 21 }, (_, i) => row(i, 0, i % 3 === 0 ? 1 / 3 : 0.1))
  const { value, low, high } = accuracy(thirds, [21])
  expect([low, high]).toEqual([value, value])
})

test('[STAT82] where the whole set was asked the limits are the worst and the best case of what is missing', () => {
  const failed = [...rows(8, 6), row(8, 0, null), row(9, 0, null)]
  expect(accuracy(failed, [10])).toMatchObject({ value: 0.75, n: 8, low: 0.6, high: 0.8 })
  const once = [row(0, 0, 1), row(0, 1, null), row(1, 0, 0), row(1, 1, 0)]
  expect(accuracy(once, [2, { epochs: 2 }])).toMatchObject({ value: 0.5, n: 2, trials: 3, low: 0.25, high: 0.5 })
})

test('[STAT82] limits as answered stay within what the missing items can still make of the score', () => {
  const nine = accuracy([...rows(9, 9)], [9, { of: 10 }])
  expect(nine).toMatchObject({ value: 1, high: 1 })
  expect(nine.low).toBeGreaterThanOrEqual(0.9)
})

test('[STAT82] a set whose size is not known is not corrected, and the method says so', () => {
  const sample = sampleFrom({ value: 0.5, items: 50, squares: 12.5, repeated: 0, within: 0, step: 1, least: 25, answered: 50 })
  const unknown = limitsOf(sample, { population: null, complete: false }).as_answered
  const large = limitsOf(sample, { population: 1e9, complete: false }).as_answered
  expect(unknown.low).toBeCloseTo(large.low, 6)
  expect(unknown.high).toBeCloseTo(large.high, 6)
  const values = Array.from({ length: 50 }, (_, i) => ({ values: [i % 2], asked: 1 }))
  expect(itemMean(values, { rule: 2, target: 'as_answered', population: null, complete: false }).method).toContain(
    'size of the set unknown',
  )
})

const anyRow = fc
  .tuple(fc.nat(5), fc.nat(3), fc.constantFrom(0, 0.5, 1, null))
  .map(([item, epoch, score]) => row(item, epoch, score, { options: 4, detail: { checks: [{ verdicts: { strict: score === 1 } }, {}] } }))

test('[STAT80] every interval lies in [0, 1] and holds its value, for both targets and every metric', () => {
  const names = ['accuracy', 'accuracy_worst_case', 'accuracy_with_random_credit', 'exam_accuracy', 'pass_at_k', 'cons_at_k', 'inst_strict']
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 24 }), fc.constantFrom(6, 7, 100), fc.constantFrom(0, 1), (given, of, temperature) => {
      const distinct = [...new Map(given.map((one) => [`${one.item_id} ${one.epoch}`, one])).values()]
      for (const [name, metric] of Object.entries(computeMetrics(names, distinct, planOf(6, { of, epochs: 4, temperature })))) {
        if (metric.value === null) continue
        for (const { low, high } of [metric, metric.limits!.as_answered, metric.limits!.expected]) {
          expect([name, low! >= 0 && high! <= 1]).toEqual([name, true])
          // The exam's own headline is rounded to a hundredth of a point.
          expect([name, low! <= metric.value + 1e-4 && metric.value <= high! + 1e-4]).toEqual([name, true])
        }
        expect(width(metric.limits!.expected)).toBeGreaterThanOrEqual(width(metric.limits!.as_answered) - 1e-9)
      }
    }),
  )
})

test('[STAT85] n counts items, whatever the metric and the epochs; trials are named beside it', () => {
  const twice = Array.from({ length: 20 }, (_, i) =>
    row(i % 10, Math.floor(i / 10), i % 2, { detail: { confidence: 50, checks: [{ verdicts: { strict: true } }] } }),
  )
  const names = ['accuracy', 'avg_at_k', 'exam_accuracy', 'calibration_error_all_bins', 'inst_strict', 'truncated_share']
  const found = computeMetrics(names, twice, planOf(10, { epochs: 2, temperature: 1 }))
  for (const name of names) expect([name, found[name]!.n, found[name]!.trials]).toEqual([name, 10, 20])
})

test('[STAT61] a ratio of checks is taken around its own value, between items', () => {
  const checks = (met: number, all: number) => ({
    detail: { checks: Array.from({ length: all }, (_, i) => ({ verdicts: { strict: i < met } })) },
  })
  const of = [row(0, 0, 0, checks(2, 3)), row(1, 0, 1, checks(1, 1)), row(2, 0, 0, checks(1, 2)), row(3, 0, 1, checks(2, 2))]
  const { inst_strict } = computeMetrics(['inst_strict'], of, planOf(4, { of: 40 }))
  expect(inst_strict).toMatchObject({ value: 6 / 8, n: 4, trials: 4 })
  expect(inst_strict!.low).toBeLessThan(0.6)
  expect(inst_strict!.high).toBeGreaterThan(0.85)
})

test('[STAT70] the exam keeps its official figure, but no interval of width 0 where nothing was right', () => {
  const { exam_accuracy } = computeMetrics(['exam_accuracy'], rows(40, 0), planOf(40, { temperature: null }))
  expect(exam_accuracy).toMatchObject({ value: 0, low: 0, n: 40, method: expect.stringContaining('official ± 0 points (Wald)') })
  expect(exam_accuracy!.high).toBeGreaterThan(0.05)
})
