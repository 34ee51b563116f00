import { expect, test } from 'vitest'
import { itemApiPath, itemPath, itemsPath, rowsApiPath, runPath } from '../paths.ts'
import { filterCount, type ItemFilter, itemInPath, matchesFilter, readItemFilter, strangeFilters } from './item-filter.ts'

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

test('[UI10] what an address asks that there is not is named, and what there is is not', () => {
  expect(strangeFilters({ outcome: 'maybe', order: 'random', in_epoch: '-1', q: 'x' })).toEqual([
    'outcome=maybe',
    'order=random',
    'in_epoch=-1',
  ])
  expect(strangeFilters({ outcome: 'wrong', order: 'latency', in_epoch: '0', epoch: '4' })).toEqual([])
})

test('[UI10] the API is asked for the item in its own epoch and for the list in the filter’s', () => {
  expect(itemApiPath('r', 'mmlu_pro', '7', '3')).toBe('/api/runs/r/items/mmlu_pro/7?epoch=3')
  expect(searchOf(rowsApiPath('r', filter, { limit: 50, around: 'a:b:0' }))).toEqual({
    ...{ benchmark: 'gpqa_diamond', outcome: 'wrong', group: 'Organic & more', flag: 'truncated', epoch: '2', q: 'a=b', order: 'latency' },
    ...{ limit: '50', around: 'a:b:0' },
  })
  expect(rowsApiPath('r', {}, { limit: 1, offset: 0 })).toBe('/api/runs/r/rows?limit=1&offset=0')
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
  expect(itemInPath('/runs/r/items/mmlu_pro/a%2Fb%3Fc%23d', '2')).toBe('mmlu_pro:a/b?c#d:2')
  expect(itemInPath('/runs/r', undefined)).toBeUndefined()
})

test('[UI12] a link to the filtered list leads to the list itself', () => {
  expect(itemsPath('r', { benchmark: 'ifeval', group: 'law' })).toBe('/runs/r?benchmark=ifeval&group=law#items')
})
