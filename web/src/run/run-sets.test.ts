import { expect, test } from 'vitest'
import type { Run } from '#shared/contract/api.ts'
import { meanOf, oneSet, setOf, shownEstimate } from './run-sets.ts'

const estimate = (value: number | null) => ({ value, low: null, high: null, n: 1, method: '' })
const planned = (name: string, more: object = {}) => ({
  name,
  version: 1,
  profile: 'official',
  epochs: 1,
  sampled_items: 10,
  data: { source: 'pinned', revision: 'r', files: [] },
  ...more,
}) // prettier-ignore
function run(names: string[], more: object = {}, seed = 's'): Run {
  return {
    estimate: estimate(0.5),
    benchmarks: names.map((benchmark_name, at) => ({ benchmark_name, estimate: estimate(at === 0 ? 0.25 : null) })),
    spec: { benchmarks: names.map((name) => planned(name, more)), subset: { seed, sampling: 'sha256', pct: 5, count: null } },
  } as unknown as Run // as much of a run as is read
}

test('[UI75] scores stand on one axis only where they are about the same items, asked and read alike', () => {
  expect(oneSet([run(['a', 'b']), run(['b', 'a'])])).toBe(true)
  expect(oneSet([run(['a', 'b']), run(['a'])])).toBe(false)
  expect(oneSet([run(['a', 'b']), run(['a'])], 'a')).toBe(true)
  for (const other of [
    { version: 2 },
    { profile: 'builtin' },
    { epochs: 4 },
    { sampled_items: 20 },
    { roles: { judge: { model: { slug: 'j' } } } },
  ])
    expect([other, oneSet([run(['a']), run(['a'], other)])]).toEqual([other, false])
  expect(setOf(run(['a']))).not.toBe(setOf(run(['a'], {}, 'another seed')))
})

test('[UI75] a mean says of how many benchmarks it is one, and a narrowed list shows the score of its benchmark', () => {
  expect(meanOf(run(['a', 'b']))).toBe('1 of 2 benchmarks scored')
  expect(meanOf(run(['a']))).toBeUndefined()
  expect(meanOf(run(['a', 'b']), 'a')).toBeUndefined()
  expect(shownEstimate(run(['a', 'b']), 'a').value).toBe(0.25)
  expect(shownEstimate(run(['a', 'b'])).value).toBe(0.5)
})
