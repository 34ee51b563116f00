import { expect, test } from 'vitest'
import { type ItemRow, mergeRows } from './item-row.ts'

const row = (ordinal: number, snippet = ''): ItemRow => ({
  ordinal,
  benchmark: 'b',
  item_id: String(ordinal),
  epoch: 0,
  group: null,
  outcome: 'right',
  score: 1,
  answer: null,
  expected: null,
  flags: [],
  failure: null,
  latency_ms: null,
  output_tokens: 0,
  snippet,
})

test('[UI13] streamed rows come first, take the text of their loaded twin, and no trial is listed twice', () => {
  const merged = mergeRows([row(9), row(3)], [row(3, 'old'), row(2)])
  expect(merged.map((one) => [one.ordinal, one.snippet])).toEqual([
    [9, ''],
    [3, 'old'],
    [2, ''],
  ])
})
