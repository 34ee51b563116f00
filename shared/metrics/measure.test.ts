import { expect, test } from 'vitest'
import { measureBenchmark } from './measure.ts'
import type { MetricRow } from './port.ts'
import { firstPlan, planOf } from './testing/plans.ts'

const row = (item: number, group: string | null, right: boolean, more: Partial<MetricRow> = {}): MetricRow => ({
  item_id: String(item),
  epoch: 0,
  group,
  outcome: right ? 'right' : 'wrong',
  score: right ? 1 : 0,
  answer: null,
  flags: [],
  detail: {},
  options: null,
  ...more,
})

const category = Array.from({ length: 122 }, (_, i) => row(i, 'computer science', i < 60))
const others = Array.from({ length: 78 }, (_, i) => row(200 + i, 'law', i < 40))
const groupsOf = (...args: Parameters<typeof measureBenchmark>) =>
  measureBenchmark(...args).by_group as unknown as Record<string, MetricRow>
const rounded = (found: unknown) => {
  const { low, high } = found as { low: number; high: number }
  return [low, high].map((limit) => Number(limit.toFixed(3)))
}

test('[STAT84] a group is corrected for its own population: 60 of 122, of 410 in the set', () => {
  const plan = planOf(200, { of: 12_032 }, { 'computer science': 410 })
  const found = groupsOf(['accuracy'], [...category, ...others], plan)
  expect(rounded(found['computer science'])).toEqual([0.418, 0.566])
})

test('[STAT84] a group whose population nobody told is not corrected, and says so', () => {
  const found = groupsOf(['accuracy'], [...category, ...others], planOf(200, { of: 12_032 }, { law: 1101 }))
  expect(found['computer science']).toMatchObject({ n: 122, method: 'Wilson, size of the set unknown' })
  expect(rounded(found['computer science'])).toEqual([0.404, 0.58])
})

test('[STAT84] where the whole set was asked, a group is known as the set is, unless trials ended without a group', () => {
  const whole = groupsOf(['accuracy'], [...category, ...others], planOf(200))
  expect(whole.law).toMatchObject({ low: 40 / 78, high: 40 / 78, n: 78 })
  const lost = row(199, null, false, { outcome: 'failed', score: null })
  const open = groupsOf(['accuracy'], [...category, ...others.slice(1), lost], planOf(200))
  expect(open.law).toMatchObject({ method: 'Wilson, size of the set unknown' })
})

test('[STAT84] a group may bear any name', () => {
  const found = groupsOf(['accuracy'], [row(0, '__proto__', true), row(1, 'constructor', true)], planOf(2, { of: 9 }))
  expect(Object.keys(found)).toEqual(['__proto__', 'constructor'])
})

test('[STAT88] times are told as percentiles that were measured, over answers alone', () => {
  const timed = Array.from({ length: 100 }, (_, i) => row(i, null, true, { latency_ms: 100 - i, ttft_ms: i < 50 ? i + 1 : null }))
  const failed = row(100, null, false, { outcome: 'failed', score: null, latency_ms: 9e9, ttft_ms: null })
  const { timing } = measureBenchmark(['accuracy'], [...timed, failed], planOf(101))
  expect(timing).toEqual({
    latency_ms: { n: 100, mean: 50.5, p50: 50, p90: 90, p99: 99 },
    ttft_ms: { n: 50, mean: 25.5, p50: 25, p90: 45, p99: 50 },
  })
  expect(measureBenchmark(['accuracy'], [failed], planOf(1)).timing).toEqual({ latency_ms: null, ttft_ms: null })
})

test('[STAT87] a run planned before there were targets is measured as it was', () => {
  const found = measureBenchmark(['accuracy'], category, firstPlan(410))
  expect(Object.keys(found)).toEqual(['accuracy'])
  expect(Object.keys(found.accuracy!)).toEqual(['value', 'low', 'high', 'n', 'method'])
  expect(found.accuracy).toMatchObject({ n: 122, method: 'Wilson, finite population of 410' })
})
