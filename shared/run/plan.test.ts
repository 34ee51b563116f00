import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { legacySample, legacySeed } from './legacy-sample.ts'
import { planTrials, sampleItems, subsetSize } from './plan.ts'
import { testSpec } from './testing/test-spec.ts'

const legacy = (seedText: string, total: number, pct: number, count: number | null = null) => legacySample(seedText, total, { pct, count })

test('[PLAN1] legacy sampling reproduces every vector of the predecessor', () => {
  expect(legacySeed('s:x')).toBe(13388081324546851141n)
  const tenth = legacy('test_seed:mmlu_pro', 100, 10)
  expect(tenth.slice(0, 9).map(Number)).toEqual([63, 67, 62, 42, 12, 10, 2, 73, 96])
  expect(tenth).toHaveLength(10)
  expect(legacy('s:gpqa_diamond', 198, 5).map(Number)).toEqual([58, 166, 171, 111, 116, 85, 144, 123, 191])
  const one = legacy('s:mmlu_pro', 12032, 1)
  expect(one.slice(0, 5).map(Number)).toEqual([10257, 1544, 11876, 10653, 11403])
  expect(one).toHaveLength(120)
  expect(legacy('s:aime_2025', 90, 100, 7).map(Number)).toEqual([75, 15, 2, 64, 56, 48, 13])
  expect(legacy('test_seed', 100, 10).map(Number)).toEqual([74, 40, 79, 78, 26, 99, 18, 17, 61, 50])
  expect(legacy('any', 5, 100)).toEqual(['0', '1', '2', '3', '4'])
  expect(legacy('any', 5, 1, 9)).toEqual(['0', '1', '2', '3', '4'])
})

test('[PLAN2] a smaller subset is the beginning of every larger one', () => {
  const at = (pct: number) => sampleItems('mmlu_pro', 12032, { pct, count: null, seed: 'default', sampling: 'sha256' })
  const [five, ten, quarter, all] = [at(5), at(10), at(25), at(100)]
  expect(five).toHaveLength(601)
  expect(ten.slice(0, 601)).toEqual(five)
  expect(quarter.slice(0, 1203)).toEqual(ten)
  expect(new Set(all).size).toBe(12032)
  expect(all.slice(0, 3)).not.toEqual(['0', '1', '2'])
})

test('[PLAN3] the order is ascending SHA-256 of seed, benchmark and item, the same on any machine', () => {
  const order = sampleItems('gpqa_diamond', 6, { pct: 100, count: null, seed: 'default', sampling: 'sha256' })
  // Computed with Python: sorted(range(6), key=lambda i: hashlib.sha256(f"default|gpqa_diamond|{i}".encode()).hexdigest())
  expect(order).toEqual(['0', '5', '4', '1', '3', '2'])
})

test('[PLAN3] the order of many items is that of their whole hashes', () => {
  const keyed = Array.from({ length: 3000 }, (_, index) => ({
    item: String(index),
    key: createHash('sha256').update(`größe|ifeval|${index}`).digest('hex'),
  }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  const order = sampleItems('ifeval', 3000, { pct: 50, count: null, seed: 'größe', sampling: 'sha256' })
  expect(order).toEqual(keyed.slice(0, 1500).map(({ item }) => item))
})

test('[PLAN4] a subset takes the floor of its percentage, at least one item, and never more than there are', () => {
  expect(subsetSize(198, { pct: 5, count: null })).toBe(9)
  expect(subsetSize(30, { pct: 1, count: null })).toBe(1)
  expect(subsetSize(30, { pct: 100, count: 500 })).toBe(30)
})

test('[JANUS60] a benchmark whose rule is to round up takes the ceiling of a percentage, of the same order, and a count as it is', () => {
  expect([198, 330, 40, 100, 50].map((total) => subsetSize(total, { pct: 1, count: null }, 'ceil'))).toEqual([2, 4, 1, 1, 1])
  expect([subsetSize(50, { pct: 5, count: null }, 'ceil'), subsetSize(40, { pct: 5, count: null }, 'ceil')]).toEqual([3, 2])
  expect([subsetSize(30, { pct: 100, count: null }, 'ceil'), subsetSize(30, { pct: 1, count: 7 }, 'ceil')]).toEqual([30, 7])
  const spec = testSpec({ benchmarks: [{ name: 'alpha', items: 50, epochs: 1 }] })
  const draw = (pct: number, subset_rounding?: 'ceil') => {
    const benchmarks = spec.benchmarks.map((one) => ({ ...one, ...(subset_rounding && { subset_rounding }) }))
    return [...planTrials({ benchmarks, subset: { pct, count: null, seed: '42', sampling: 'sha256' } })].map(({ item_id }) => item_id)
  }
  expect([draw(5).length, draw(5, 'ceil').length]).toEqual([2, 3])
  expect(draw(5, 'ceil').slice(0, 2)).toEqual(draw(5))
})

test('[PLAN5] trials go benchmark by benchmark, epoch by epoch, with ordinals from zero without gaps', () => {
  const trials = [
    ...planTrials(
      testSpec({
        benchmarks: [
          { name: 'alpha', items: 3, epochs: 2 },
          { name: 'beta', items: 2, epochs: 1 },
        ],
      }),
    ),
  ]
  expect(trials.map((trial) => trial.ordinal)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(trials.map((trial) => `${trial.benchmark}${trial.epoch}`)).toEqual([
    'alpha0',
    'alpha0',
    'alpha0',
    'alpha1',
    'alpha1',
    'alpha1',
    'beta0',
    'beta0',
  ])
  expect(trials.slice(0, 3).map((trial) => trial.item_id)).toEqual(trials.slice(3, 6).map((trial) => trial.item_id))
})
