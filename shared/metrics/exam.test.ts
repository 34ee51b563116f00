import { expect, test } from 'vitest'
import { examPercent } from './exam-accuracy.ts'
import { computeMetrics } from './metrics.ts'
import type { MetricRow } from './port.ts'
import { numpyRound, pythonRound } from './round-as-python.ts'
import { firstPlan } from './testing/plans.ts'

type Batch = { items: number; confidence: number; hits: number }

/** Judged rows batch by batch, the hits of each first; the rest of `n` items failed. */
function exam(batches: Batch[], n?: number): MetricRow[] {
  const plain = { epoch: 0, group: null, answer: null, flags: [], options: null }
  const judged = batches.flatMap(({ items, confidence, hits }) =>
    Array.from({ length: items }, (_, i) => ({
      ...plain,
      hit: i < hits,
      detail: { confidence, multiple_choice: false, picture: i % 2 === 0 },
    })),
  )
  const rows: MetricRow[] = judged.map(({ hit, ...row }, index) => ({
    ...row,
    item_id: String(index),
    outcome: hit ? 'right' : 'wrong',
    score: hit ? 1 : 0,
  }))
  for (let index = rows.length; index < (n ?? 0); index++)
    rows.push({ ...plain, item_id: String(index), outcome: 'failed', score: null, detail: {} })
  return rows
}

const of = (name: string, rows: MetricRow[]) => computeMetrics([name], rows, firstPlan())[name]!
const first = { items: 100, confidence: 40, hits: 10 }
const second = { items: 100, confidence: 80, hits: 50 }
const third = { items: 50, confidence: 100, hits: 0 }
const four: Batch[] = [
  { items: 100, confidence: 10, hits: 30 },
  { items: 100, confidence: 50, hits: 50 },
  { items: 100, confidence: 90, hits: 20 },
  { items: 100, confidence: 95, hits: 100 },
]

test('[STAT70] exam accuracy counts every item, missing ones as wrong, with the official half width: golden (a) and (c) of the reference', () => {
  const a = of('exam_accuracy', exam([first, second, third], 2500))
  expect(a).toMatchObject({ value: 0.024, n: 2500, method: 'Wald ± 0.6 points over all items, failures as wrong' })
  expect([a.low, a.high]).toEqual([(2.4 - 0.6) / 100, (2.4 + 0.6) / 100])
  const c = of('exam_accuracy', exam(four, 2500))
  expect(c).toMatchObject({ value: 0.08, n: 2500, method: 'Wald ± 1.06 points over all items, failures as wrong' })
  expect(examPercent(200, 2500)).toEqual({ accuracy: 8, half_width: 1.06 })
  expect(of('exam_accuracy', [])).toMatchObject({ value: null, n: 0 })
})

test('[STAT70] the Wald interval ends at 0 and 1, and Wilson stands beside it', () => {
  expect(of('exam_accuracy', exam([{ items: 3, confidence: 5, hits: 1 }]))).toMatchObject({ low: 0, value: 0.3333 })
  expect(of('accuracy_worst_case', exam([first], 200))).toMatchObject({ value: 0.05, n: 200, method: 'Wilson' })
})

test('[STAT71] the calibration error is that of the official script: golden (a) to (d) of the reference', () => {
  expect(of('calibration_error', exam([first, second, third], 2500))).toMatchObject({ value: 0.19, n: 250 })
  expect(of('calibration_error', exam([first, { items: 50, confidence: 80, hits: 50 }], 2500))).toMatchObject({ value: 0, n: 150 })
  expect(of('calibration_error', exam(four, 2500))).toMatchObject({ value: 0.36, n: 400 })
  expect(of('calibration_error', exam([{ ...first, items: 99 }], 2500))).toMatchObject({ value: null, n: 99 })
})

test('[STAT72] equal confidences stay in the order of the data set, whatever the order of the rows', () => {
  const rows = exam([{ items: 300, confidence: 50, hits: 100 }])
  const found = of('calibration_error', rows)
  expect(found.value).toBe(numpyRound(Math.sqrt((0.5 ** 2 + 0.5 ** 2) / 3)))
  expect(of('calibration_error', [...rows].reverse())).toEqual(found)
  const shuffled = rows.map((_, index) => rows[(index * 7) % rows.length]!)
  expect(of('calibration_error', shuffled)).toEqual(found)
})

test('[STAT73] over all bins nothing is left out and nothing rounded; a small sample is one bin', () => {
  expect(of('calibration_error_all_bins', exam([first, second, third])).value).toBeCloseTo(
    Math.sqrt((0.3 ** 2 * 100 + (130 / 150 - 50 / 150) ** 2 * 150) / 250),
    12,
  )
  expect(of('calibration_error_all_bins', exam([{ items: 10, confidence: 70, hits: 2 }])).value).toBeCloseTo(0.5, 12)
  expect(of('calibration_error_all_bins', exam([], 5))).toMatchObject({ value: null, n: 0 })
})

test('[STAT74] accuracy is given by kind of answer and with and without a picture', () => {
  const rows = exam([{ items: 10, confidence: 50, hits: 5 }], 12)
  expect(of('accuracy_with_picture', rows)).toMatchObject({ value: 0.6, n: 5, method: 'Wilson, picture = true' })
  expect(of('accuracy_without_picture', rows)).toMatchObject({ value: 0.4, n: 5 })
  expect(of('accuracy_exact_match', rows)).toMatchObject({ value: 0.5, n: 10 })
  expect(of('accuracy_multiple_choice', rows)).toMatchObject({ value: null, n: 0 })
})

test('[STAT75] numbers are rounded as numpy and as Python round them', () => {
  expect([0.125, 0.375, 0.625, 2.675, 1.005, 8.004, 0].map(numpyRound)).toEqual([0.12, 0.38, 0.62, 2.68, 1, 8, 0])
  expect([0.125, 0.375, 0.625, 2.675, 1.005, 8.004, 0].map(pythonRound)).toEqual([0.12, 0.38, 0.62, 2.67, 1, 8, 0])
})
