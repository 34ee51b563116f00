import { expect, test } from 'vitest'
import type { FeedRow } from '../live-state.ts'
import { freshRows, itemTitle } from './item-row.ts'

const streamed = (ordinal: number, seq: number) =>
  ({
    ordinal,
    seq,
    benchmark: 'b',
    item_id: String(ordinal),
    epoch: 0,
    group: null,
    outcome: 'right',
    score: 1,
    usage: { output_tokens: 3 },
  }) as FeedRow
const feed = (...events: number[]) => events.map((seq) => streamed(seq + 100, seq))

test('[UI13] streamed results stand on top of a list that was read before they came, each trial once', () => {
  const rows = freshRows(feed(9, 8, 7, 6), 6, new Set([108]), false)
  expect(rows.map((row) => row.ordinal)).toEqual([109, 107])
  expect(rows[0]).toMatchObject({ output_tokens: 3, snippet: '' })
  expect([
    itemTitle({ item_id: '28', source_id: 'fix-titlecase' }),
    itemTitle({ item_id: '28', source_id: '70' }),
    itemTitle({ item_id: '28', source_id: null }),
  ]).toEqual(['fix-titlecase', '28', '28'])
})

test('[UI13] results that come faster than one reads wait for the next reading, unless it is late', () => {
  const many = feed(...Array.from({ length: 40 }, (_, index) => 100 - index))
  expect(freshRows(many, 10, new Set(), false)).toEqual([])
  expect(freshRows(many, 10, new Set(), true)).toHaveLength(40)
})
