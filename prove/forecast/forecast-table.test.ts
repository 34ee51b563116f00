import { expect, test } from 'vitest'
import { kindOf } from '#shared/run/testing/draw-queue.ts'
import type { Seen } from '#shared/run/testing/play-queue.ts'
import { forecastRows, forecastTable, verdictOf } from './forecast-table.ts'

const seen = (expected_s: number | null, more: Partial<Seen> = {}): Seen => ({
  ...{ run_id: 'a', began_s: 0, asked_s: 50, expected_s, ideal_s: 150, ended_s: 150, steady: true, ran_before: true },
  ...more,
})

test('[OPS22] a run without an expected end counts as asked and never as within', () => {
  const rows = forecastRows(new Map([[1, [seen(null), seen(150), seen(174), seen(176), seen(188)]]]))
  const all = rows.find(({ kind }) => kind === 'all')!
  expect(all).toMatchObject({ queues: 1, runs: 5, untold: 1, ofLeft: 2, ofWhole: 3, ideal: 5 })
  expect(all.median).toBeCloseTo(0.26)
  expect(forecastTable([all]).at(-1)).toBe('| all | 1 | 5 | 40.0 % | 60.0 % | 100.0 % | 20.0 % | 26.0 % |')
})

test('[OPS22] each run is in the row of its kind; rows of parts leave out what came or left and models that are new', () => {
  const rows = forecastRows(
    new Map([
      [1, [seen(150), seen(150, { steady: false })]],
      [2, [seen(150, { ran_before: false })]],
    ]),
  )
  const runs = new Map(rows.map((row) => [row.kind, row.runs]))
  expect([runs.get(kindOf(1)), runs.get(kindOf(2)), runs.get('all')]).toEqual([2, 1, 3])
  expect([runs.get('nothing came or left'), runs.get('the same, model ran before')]).toEqual([2, 1])
  expect(forecastTable(rows)).toContain('| mixed | 0 | 0 | – | – | – | – | – |')
})

test('[OPS22] the verdict is on all runs, by the time left; none at all is a failure', () => {
  const rows = forecastRows(new Map([[1, [seen(null), seen(150), seen(150), seen(150), seen(150)]]]))
  expect(verdictOf(rows, 80)).toEqual({ passed: true, text: 'passed: 80.0 % of all runs within 25 % of the time left, 80 % asked for' })
  expect(verdictOf(rows, 81).passed).toBe(false)
  expect(verdictOf(forecastRows(new Map([[1, [seen(180, { steady: false })]]])), 80).passed).toBe(false)
  expect(verdictOf(forecastRows(new Map()), 80).passed).toBe(false)
})
