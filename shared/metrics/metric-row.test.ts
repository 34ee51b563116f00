import { expect, test } from 'vitest'
import { sampleRun } from '../export/testing/sample-run.ts'
import { itemRuns } from './item-runs.ts'
import { metricRowOf, openMetricRows } from './metric-row.ts'

const { records } = sampleRun(40, (all) =>
  all.map((record, index) => ({
    ...record,
    flags: index % 3 === 0 ? ['unparsed'] : index % 3 === 1 ? ['level_1', 'unparsed'] : ['level_1,unparsed'],
    detail: Object.fromEntries(index % 4 === 0 ? [['checks', index]] : []),
  })),
)

test('[EXP100] rows of many trials are those of each, and hold what they have in common once', () => {
  const rows = records.map(openMetricRows())
  expect(rows).toEqual(records.map(metricRowOf))
  expect(new Set(rows.map(({ flags }) => flags)).size).toBe(3)
  const empty = rows.filter(({ detail }) => Object.keys(detail).length === 0)
  expect([empty.length > 1, new Set(empty.map(({ detail }) => detail)).size]).toEqual([true, 1])
})

test('[EXP100] an item without failures has one list of its rows, else those answered stand apart', () => {
  const [first] = records.map(metricRowOf)
  const row = (item_id: string, epoch: number, outcome: 'right' | 'failed') => ({ ...first!, item_id, epoch, outcome })
  const rows = [row('a', 0, 'right'), row('b', 0, 'right'), row('c', 0, 'failed'), row('a', 1, 'right'), row('b', 1, 'failed')]
  const [a, b, c] = itemRuns(rows)
  expect([a, b, c].map((item) => item?.item_id)).toEqual(['a', 'b', 'c'])
  expect(a?.answered).toBe(a?.rows)
  expect(a?.rows).toEqual([rows[0], rows[3]])
  expect([b?.rows, b?.answered]).toEqual([[rows[1], rows[4]], [rows[1]]])
  expect([c?.rows, c?.answered]).toEqual([[rows[2]], []])
})
