import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import type { MetricDef } from './metric-def.ts'
import { units } from './metric-def.ts'
import { type MetricName, metricDefs, namesOf } from './metrics.ts'
import { createRegistry, otherValue, type Series } from './registry.ts'

const names = namesOf(metricDefs)
const numbersOf = (registry: ReturnType<typeof createRegistry>, name: MetricName) => {
  const series = registry.read().find((family) => family.name === name)?.series ?? []
  return Object.fromEntries(series.map(({ labels, value }) => [labels.map(([, text]) => text).join(' '), numberOf(value)]))
}
const numberOf = (value: Series['value']) => (value.kind === 'number' ? value.number : value.counts)
const answered = { provider: 'chutes', model: 'org/model', outcome: 'answer' } as const

test.for(names)('[OBS1] %s is named as its kind and unit ask, with labels that are bounded and name nobody', (name) => {
  const def: MetricDef = metricDefs[name]
  expect(name).toMatch(/^bench_[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
  expect(name.endsWith('_total')).toBe(def.kind === 'counter')
  const stem = name.replace(/_total$/, '')
  const said = (['seconds', 'bytes', 'usd'] as const).find((unit) => stem.endsWith(`_${unit}`))
  expect(said ?? 'a count').toBe(['seconds', 'bytes', 'usd'].includes(def.unit) ? def.unit : 'a count')
  expect(units).toHaveProperty(def.unit)
  expect(def.help).toMatch(/^[A-Z0-9].*\.$/)
  for (const [label, values] of Object.entries(def.labels)) {
    expect(label).toMatch(/^(?!.*(^|_)id$)[a-z]+$/)
    const all = 'values' in values ? values.values : []
    expect(new Set(all).size).toBe(all.length)
    expect('values' in values ? all.length : values.most).toBeLessThanOrEqual(60)
  }
  if (def.kind !== 'histogram') return
  expect(def.buckets).toEqual([...def.buckets].sort((a, b) => a - b))
  expect(new Set(def.buckets).size).toBe(def.buckets.length)
})

test('[OBS1] whatever labels come, there are never more series than the table allows, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 200 }), (asked) => {
      const registry = createRegistry(['bench_agent_retries_total'])
      for (const [provider, model] of asked) registry.count('bench_agent_retries_total', { provider, model })
      const counted = Object.values(numbersOf(registry, 'bench_agent_retries_total')) as number[]
      expect(registry.read()[0]?.series.length ?? 0).toBeLessThanOrEqual(21 * 51)
      expect(counted.reduce((sum, one) => sum + one, 0)).toBe(asked.length)
    }),
    draws(50),
  )
  const registry = createRegistry(['bench_agent_info'])
  registry.watch('bench_agent_info', () => ['1', '2', '3'].map((version) => ({ labels: { version }, value: 1 })))
  expect(numbersOf(registry, 'bench_agent_info')).toEqual({ 1: 1, [otherValue]: 2 })
})

test('[OBS2] what is counted adds up by labels; a counter with few labels is there from the start', () => {
  const registry = createRegistry(names)
  expect(numbersOf(registry, 'bench_agent_trials_total')).toEqual({ right: 0, wrong: 0, failed: 0, 'given-up': 0, released: 0 })
  expect(numbersOf(registry, 'bench_agent_calls_total')).toEqual({})
  registry.count('bench_agent_calls_total', answered)
  registry.count('bench_agent_calls_total', answered, 2)
  registry.count('bench_agent_calls_total', { ...answered, outcome: 'rate-limited' })
  for (const none of [-1, Number.NaN, Number.POSITIVE_INFINITY]) registry.count('bench_agent_calls_total', answered, none)
  expect(numbersOf(registry, 'bench_agent_calls_total')).toEqual({ 'chutes org/model answer': 3, 'chutes org/model rate-limited': 1 })
})

test('[OBS2] a value falls into the first bucket that is not below it', () => {
  const registry = createRegistry(['bench_agent_event_loop_lag_seconds'])
  for (const value of [0, 0.001, 0.0011, 5, 5.1, Number.NaN]) registry.observe('bench_agent_event_loop_lag_seconds', {}, value)
  expect(numbersOf(registry, 'bench_agent_event_loop_lag_seconds')).toEqual({ '': [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1] })
})

test('[OBS2] a gauge is read when somebody asks, added up over those who tell it, and gone when they leave', () => {
  const registry = createRegistry(['bench_agent_backlog'])
  let waiting = 3
  const leave = registry.watch('bench_agent_backlog', () => [{ labels: {}, value: waiting }])
  registry.watch('bench_agent_backlog', () => [{ labels: {}, value: 10 }])
  expect(numbersOf(registry, 'bench_agent_backlog')).toEqual({ '': 13 })
  waiting = 4
  expect(numbersOf(registry, 'bench_agent_backlog')).toEqual({ '': 14 })
  leave()
  expect(numbersOf(registry, 'bench_agent_backlog')).toEqual({ '': 10 })
})
