import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeMetrics, isMetricName } from './metrics.ts'
import type { MetricRow } from './port.ts'
import { firstPlan } from './testing/plans.ts'

const row = (item_id: string, epoch: number, outcome: MetricRow['outcome'], more: Partial<MetricRow> = {}): MetricRow => ({
  item_id,
  epoch,
  group: null,
  outcome,
  score: outcome === 'failed' ? null : outcome === 'right' ? 1 : 0,
  answer: outcome === 'failed' ? null : outcome,
  flags: [],
  detail: {},
  options: null,
  ...more,
})

const open = firstPlan()

test('[STAT4] a failure is not a wrong answer; worst and best case bound the value', () => {
  const rows = [row('0', 0, 'right'), row('1', 0, 'wrong'), row('2', 0, 'failed'), row('3', 0, 'right')]
  const found = computeMetrics(['accuracy', 'accuracy_worst_case', 'accuracy_best_case'], rows, open)
  expect(found.accuracy).toMatchObject({ value: 2 / 3, n: 3, method: 'Wilson' })
  expect(found.accuracy_worst_case).toMatchObject({ value: 0.5, n: 4 })
  expect(found.accuracy_best_case).toMatchObject({ value: 0.75, n: 4 })
})

test('[STAT4] without an answer there is no value', () => {
  const nothing = { value: null, low: null, high: null, n: 0 }
  expect(computeMetrics(['accuracy'], [], open).accuracy).toMatchObject(nothing)
  expect(computeMetrics(['accuracy', 'cons_at_k', 'pass_at_k'], [row('0', 0, 'failed')], open)).toMatchObject({
    accuracy: nothing,
    cons_at_k: nothing,
    pass_at_k: nothing,
  })
})

test('[STAT5] repeats are averaged per item and their error is taken between items', () => {
  const rows = [row('0', 0, 'right'), row('0', 1, 'right'), row('1', 0, 'right'), row('1', 1, 'wrong')]
  const { avg_at_k } = computeMetrics(['avg_at_k'], rows, open)
  const half = 1.959964 * Math.sqrt(0.125 / 2)
  expect(avg_at_k).toMatchObject({ value: 0.75, n: 2, method: 'avg@2, standard error clustered by item', high: 1 })
  expect(avg_at_k?.low).toBeCloseTo(0.75 - half, 12)
})

test('[STAT5] repeating every run changes neither value nor interval', () => {
  const once = [
    row('0', 0, 'right'),
    row('1', 0, 'wrong'),
    row('2', 0, 'right'),
    row('0', 1, 'wrong'),
    row('1', 1, 'wrong'),
    row('2', 1, 'right'),
  ]
  const twice = [...once, ...once.map((r) => ({ ...r, epoch: r.epoch + 2 }))]
  const a = computeMetrics(['accuracy'], once, open).accuracy
  expect(computeMetrics(['accuracy'], twice, open).accuracy).toEqual(a)
})

test('[STAT6] pass@k counts items with any right run, cons@k those with a right majority; ties and silence are wrong', () => {
  const rows = [
    row('0', 0, 'right', { answer: '7' }),
    row('0', 1, 'wrong', { answer: '8' }),
    row('0', 2, 'wrong', { answer: '9' }),
    row('1', 0, 'right', { answer: '5' }),
    row('1', 1, 'right', { answer: '5' }),
    row('1', 2, 'wrong', { answer: '6' }),
    row('2', 0, 'wrong', { answer: null }),
    row('2', 1, 'wrong', { answer: null }),
    row('2', 2, 'wrong', { answer: null }),
  ]
  const found = computeMetrics(['pass_at_k', 'cons_at_k'], rows, open)
  expect(found.pass_at_k).toMatchObject({ value: 2 / 3, n: 3, method: 'pass@3, Wilson' })
  expect(found.cons_at_k).toMatchObject({ value: 1 / 3, n: 3, method: 'cons@3, Wilson' })
})

test('[STAT6] pass@k leaves out items that have fewer than k answered runs', () => {
  const rows = [row('0', 0, 'right'), row('0', 1, 'wrong'), row('1', 0, 'failed'), row('1', 1, 'wrong')]
  expect(computeMetrics(['pass_at_k'], rows, open).pass_at_k).toMatchObject({ value: 1, n: 1 })
})

test('[STAT7] random credit is the expectation of a guess among the choices that were offered', () => {
  const rows = [
    row('0', 0, 'right', { options: 10 }),
    row('1', 0, 'wrong', { options: 4, flags: ['unparsed'], answer: null }),
    row('2', 0, 'wrong', { options: 10 }),
  ]
  const found = computeMetrics(['accuracy_with_random_credit', 'unparsed_share'], rows, open)
  expect(found.accuracy_with_random_credit?.value).toBeCloseTo(1.25 / 3, 12)
  expect(found.unparsed_share?.value).toBeCloseTo(1 / 3, 12)
})

test('[STAT8] the first name is the headline and an unknown name is refused', () => {
  expect(Object.keys(computeMetrics(['unparsed_share', 'accuracy'], [row('0', 0, 'right')], open))).toEqual(['unparsed_share', 'accuracy'])
  expect(isMetricName('toString')).toBe(false)
  expect(() => computeMetrics(['toString'], [], open)).toThrow('there is no metric')
})

const anyRow = fc
  .record({
    item_id: fc.constantFrom('0', '1', '2', '3'),
    epoch: fc.nat(3),
    outcome: fc.constantFrom('right', 'wrong', 'failed'),
  })
  .map((r) => row(r.item_id, r.epoch, r.outcome as MetricRow['outcome'], { options: 4 }))

test('[STAT8] every interval lies in [0, 1] and holds its value', () => {
  const names = [
    'accuracy',
    'accuracy_worst_case',
    'accuracy_best_case',
    'accuracy_with_random_credit',
    'avg_at_k',
    'pass_at_k',
    'cons_at_k',
    'unparsed_share',
  ]
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), fc.constantFrom(null, 4, 100), (rows, population) => {
      for (const metric of Object.values(computeMetrics(names, rows, firstPlan(population ?? 1)))) {
        if (metric.value === null) continue
        expect(metric.low!).toBeGreaterThanOrEqual(0)
        expect(metric.low!).toBeLessThanOrEqual(metric.value + 1e-12)
        expect(metric.high!).toBeGreaterThanOrEqual(metric.value - 1e-12)
        expect(metric.high!).toBeLessThanOrEqual(1)
      }
    }),
  )
})
