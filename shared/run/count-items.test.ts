import { expect, test } from 'vitest'
import { countItems, type ItemGroup } from './count-items.ts'

const groups: ItemGroup[] = [
  { outcome: 'right', failure: null, flags: [], count: 5 },
  { outcome: 'right', failure: null, flags: ['truncated', 'no_box'], count: 2 },
  { outcome: 'wrong', failure: null, flags: ['truncated'], count: 3 },
  { outcome: 'failed', failure: 'provider/overloaded', flags: [], count: 4 },
]

test('[DB82] a count obeys every chosen filter but those of its own kind, and the chosen chip counts what is listed', () => {
  expect(countItems(groups, {})).toEqual({
    total: 14,
    counts: { outcomes: { right: 7, wrong: 3, failed: 4 }, flags: { truncated: 5, no_box: 2 }, failures: { 'provider/overloaded': 4 } },
  })
  const both = countItems(groups, { outcome: 'wrong', flag: 'truncated' })
  expect(both).toEqual({
    total: 3,
    counts: { outcomes: { right: 2, wrong: 3, failed: 0 }, flags: { truncated: 3 }, failures: {} },
  })
  const narrowed = { total: 2, counts: { outcomes: { right: 2, wrong: 0, failed: 0 }, flags: { truncated: 2, no_box: 2 }, failures: {} } }
  expect(countItems(groups, { flag: 'truncated,no_box' })).toEqual(narrowed)
  expect(countItems(groups, { flag: 'truncated' }).counts.flags).toEqual({ truncated: 5, no_box: 2 })
  expect(countItems(groups, { flag: 'no_box' }).counts.flags).toEqual({ truncated: 2, no_box: 2 })
  expect(countItems(groups, { failure: 'provider/overloaded' })).toEqual({
    total: 4,
    counts: { outcomes: { right: 0, wrong: 0, failed: 4 }, flags: {}, failures: { 'provider/overloaded': 4 } },
  })
})
