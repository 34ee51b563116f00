import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ItemList } from '../contract/item-list.ts'
import { chooseItems, NoSuchItems, needsItemList } from './choose-items.ts'
import { chosenText, subsetText } from './chosen-text.ts'
import { testSpec } from './testing/test-spec.ts'

const list = ItemList.parse({
  keys: ['alpha', 'beta', '5', 'gamma-delta', null, 'last', 'beta'],
  groups: ['Law', 'math', 'Math!', 'law'],
  group_of: [0, 1, 1, null, 1, 3, 2],
})
const choose = (...names: string[]) => chooseItems(names, 7, list)

test('[ITEMS1] items are chosen by key, id, range of ids and group; each stands once, ascending', () => {
  expect(choose('gamma-delta', 'alpha', 'alpha')).toEqual([0, 3])
  expect(choose('id:6', '1-2', 'id:0')).toEqual([0, 1, 2, 6])
  expect(choose('beta')).toEqual([1, 6])
  expect(choose('group:math')).toEqual([1, 2, 4])
  expect(choose('key:5')).toEqual([2])
})

test('[ITEMS1] a name is a key before it is an id, and a prefix says which is meant', () => {
  expect(choose('5')).toEqual([2])
  expect(choose('id:5')).toEqual([5])
  expect(choose('4')).toEqual([4])
})

test('[ITEMS1] a group is found in other capitals where that is clear, and a name of two groups is read exactly', () => {
  expect(choose('group:MATH')).toEqual([1, 2, 4])
  expect(choose('group:Law')).toEqual([0])
  expect(() => choose('group:LAW')).toThrow(NoSuchItems)
})

test('[ITEMS2] a name of no item refuses the choice, with what it could have meant', () => {
  expect(() => choose('alpah')).toThrow('There is no item "alpah" (did you mean "alpha"?). Its 7 items have the ids 0 to 6.')
  expect(() => choose('id:5-7')).toThrow('There is no item "id:5-7"')
  expect(() => choose('6-5', 'zzzzzzzz', 'key:4', 'group:no', 'id:99')).toThrow('and 2 more')
})

test('[ITEMS2] ids alone need no list of the items', () => {
  expect(needsItemList(['id:3', 'id:0-2'])).toBe(false)
  expect(needsItemList(['id:3', '4'])).toBe(true)
  expect(chooseItems(['id:3', 'id:0-2'], 4)).toEqual([0, 1, 2, 3])
})

test('[ITEMS1] whatever ids are chosen, their text in runs names exactly them', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 }), (ids) => {
      const text = chosenText({ chosen: true, items: ids })!
      expect(
        chooseItems(
          text.split(', ').map((part) => `id:${part.replace('–', '-')}`),
          31,
        ),
      ).toEqual(ids.toSorted((a, b) => a - b))
    }),
  )
})

test('[ITEMS6] a run says that its items were chosen, and which', () => {
  const { subset, benchmarks } = testSpec()
  const [plain] = benchmarks as [(typeof benchmarks)[0]]
  const picked = { ...plain, chosen: true as const, items: [1, 2, 3, 9] }
  expect(chosenText(plain)).toBeNull()
  expect(chosenText(picked)).toBe('1–3, 9')
  expect(chosenText({ ...picked, items: Array.from({ length: 20 }, (_, at) => at * 2) })).toMatch(/, 22 and 8 more$/)
  expect(subsetText({ subset, benchmarks: [plain] })).toMatch(/ of each benchmark$/)
  expect(subsetText({ subset, benchmarks: [picked] })).toBe('chosen items')
  expect(subsetText({ subset, benchmarks: [plain, { ...picked, name: 'other' as typeof plain.name }] })).toMatch(
    /^chosen items of other; of the others /,
  )
})
