import { expect, test } from 'vitest'
import { computeMetrics } from './metrics.ts'
import type { MetricRow } from './port.ts'
import { firstPlan } from './testing/plans.ts'

/** A row whose checks are written as two signs each: strict and loose, `+` for followed. */
const row = (item_id: string, checks: string, more: Partial<MetricRow> = {}): MetricRow => ({
  item_id,
  epoch: 0,
  group: null,
  outcome: checks.split(' ').every((check) => check[0] === '+') ? 'right' : 'wrong',
  score: 0,
  answer: null,
  flags: [],
  detail: { checks: checks.split(' ').map((check) => ({ name: 'a', verdicts: { strict: check[0] === '+', loose: check[1] === '+' } })) },
  options: null,
  ...more,
})

const names = ['prompt_strict', 'inst_strict', 'prompt_loose', 'inst_loose']
const open = firstPlan()
const rows = [row('0', '++ ++ -+'), row('1', '++'), row('2', '-- ++')]

test('[STAT60] prompts are counted where every check was met, checks wherever they stand', () => {
  const found = computeMetrics(names, rows, open)
  expect(names.map((name) => found[name]?.value)).toEqual([1 / 3, 4 / 6, 2 / 3, 5 / 6])
  expect(found.prompt_strict).toMatchObject({ n: 3, method: 'Wilson' })
})

test('[STAT61] the error of the share of checks is taken between prompts', () => {
  const { inst_strict } = computeMetrics(names, rows, open)
  // Sums per prompt are 2 of 3, 1 of 1 and 1 of 2: distances from 2/3 of each are 0, 1/3 and -1/3.
  const half = (1.959964 * Math.sqrt((3 / 2) * (2 / 9))) / 6
  expect(inst_strict).toMatchObject({ n: 3, method: 'standard error clustered by item' })
  expect(inst_strict?.low).toBeCloseTo(4 / 6 - half, 12)
  expect(inst_strict?.high).toBeCloseTo(4 / 6 + half, 12)
})

test('[STAT61] where every prompt has the same share the interval is that of the prompts, not a point', () => {
  const { inst_strict } = computeMetrics(names, [row('0', '++ ++'), row('1', '++')], open)
  expect(inst_strict).toMatchObject({ value: 1, high: 1, n: 2, method: 'Wilson over items' })
  expect(inst_strict!.low).toBeLessThan(0.5)
})

test('[STAT61] a subset narrows the interval, repeats do not', () => {
  const width = (of: MetricRow[], population: number | null) => {
    const { inst_loose } = computeMetrics(names, of, firstPlan(population ?? 1))
    return inst_loose!.high! - inst_loose!.low!
  }
  const many = [...rows, row('3', '-- --'), row('4', '++ --'), row('5', '++')]
  const twice = [...many, ...many.map((one) => ({ ...one, epoch: 1 }))]
  expect(width(twice, null)).toBeCloseTo(width(many, null), 12)
  expect(width(many, 8)).toBeLessThan(width(many, null))
  expect(computeMetrics(names, many, firstPlan(8)).inst_loose?.method).toContain('finite population of 8')
})

test('[STAT60] failures and answers without checks are left out', () => {
  const failed = row('3', '-- --', { outcome: 'failed', score: null })
  const other = row('4', '--', { detail: {} })
  expect(computeMetrics(names, [...rows, failed, other], open)).toEqual(computeMetrics(names, rows, open))
  for (const metric of Object.values(computeMetrics(names, [failed, other], open))) expect(metric).toMatchObject({ value: null, n: 0 })
})

test('[SCORE201] the share of steps counts every tested step once, its interval taken between problems; the score is that of whole problems', () => {
  const steps = (item_id: string, passed: string, more: Partial<MetricRow> = {}): MetricRow => ({
    ...row(item_id, '++', { outcome: passed.includes('-') ? 'wrong' : 'right', score: passed.includes('-') ? 0 : 1 }),
    detail: { steps: [...passed].map((sign, index) => ({ step: `${item_id}.${index + 1}`, passed: sign === '+', early_exit: false })) },
    ...more,
  })
  const all = [steps('1', '+++'), steps('2', '+-'), steps('3', '--', { outcome: 'failed' }), row('4', '++', { outcome: 'failed' })]
  const found = computeMetrics(['accuracy', 'steps_passed'], all, open)
  expect([found.accuracy?.value, found.steps_passed?.value, found.steps_passed?.n]).toEqual([1 / 2, 4 / 5, 2])
  expect(found.steps_passed?.method).toBe('standard error clustered by item')
  expect(computeMetrics(['steps_passed'], [steps('1', '')], open).steps_passed?.value).toBeNull()
})
