import { expect, test } from 'vitest'
import { itemApiPath, itemPath, itemsApiPath, runPath } from '../paths.ts'
import { filterCount, type ItemFilter, matchesFilter, readItemFilter, readItemRef } from './item-filter.ts'

const filter: ItemFilter = {
  benchmark: 'gpqa_diamond',
  outcome: 'wrong',
  group: 'Organic & more',
  flag: 'truncated',
  failure: undefined,
  epoch: 2,
  q: 'a=b',
  order: 'latency',
}
const searchOf = (path: string) => Object.fromEntries(new URL(path, 'http://x').searchParams)

test('[UI10] a filter survives the way through the address of a run and of an item', () => {
  expect(readItemFilter(searchOf(runPath('r', filter)))).toEqual(filter)
  expect(readItemFilter(searchOf(itemPath('r', 'mmlu_pro', '7', 3, filter)))).toEqual(filter)
  expect(searchOf(itemPath('r', 'mmlu_pro', '7', 3, filter)).epoch).toBe('3')
})

test('[UI10] what is no filter is ignored', () => {
  expect(filterCount(readItemFilter({ outcome: 'maybe', order: 'random', q: '  ', group: ['a', 'b'], in_epoch: '-1', epoch: '4' }))).toBe(0)
})

test('[UI10] the API is asked for the item in its own epoch and for the list in the filter’s', () => {
  expect(searchOf(itemApiPath('r', 'mmlu_pro', '7', 3, filter))).toMatchObject({ epoch: '3', outcome: 'wrong' })
  expect(searchOf(itemsApiPath('r', filter, { limit: 50, after: 9 }))).toMatchObject({ epoch: '2', limit: '50', after: '9' })
  expect(itemsApiPath('r', { benchmark: 'ifeval' }, { limit: 1 })).toBe('/api/runs/r/benchmarks/ifeval?limit=1')
  expect(itemsApiPath('r', {}, { limit: 1 })).toBe('/api/runs/r/items?limit=1')
})

test('[UI11] a streamed result enters the list only if it fits', () => {
  const row = { benchmark: 'gpqa_diamond', outcome: 'wrong', group: 'Organic & more', flags: ['truncated'], failure: null, epoch: 2 }
  const { q: _, ...rest } = filter
  expect(matchesFilter(row, rest)).toBe(true)
  expect(matchesFilter(row, {})).toBe(true)
  for (const other of [{ outcome: 'right' }, { flags: [] }, { epoch: 0 }, { group: null }, { benchmark: 'ifeval' }])
    expect(matchesFilter({ ...row, ...other }, rest)).toBe(false)
})

test('[UI11] a text search never guesses', () => {
  expect(matchesFilter({ benchmark: 'b', outcome: 'right', group: null, flags: [], failure: null, epoch: 0 }, { q: 'x' })).toBe(false)
})

test('[UI12] item links escape what means something in an address', () => {
  expect(itemPath('r', 'mmlu_pro', 'a/b?c#d', 0)).toBe('/runs/r/items/mmlu_pro/a%2Fb%3Fc%23d')
  expect(readItemRef('a:b:12')).toEqual({ item_id: 'a:b', epoch: 12 })
})
