import { expect, test } from 'vitest'
import type { Forecast } from '../contract/forecast.ts'
import { aheadText, forecastText } from './forecast-text.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const waits: Forecast = {
  position: 2,
  waiting: 5,
  starts_at: '2026-01-01T12:03:10.000Z',
  ends_at: '2026-01-01T13:20:00.000Z',
  unknown: null,
}

test('[OPS5] a forecast reads as place, start and end; a missing moment has its reason', () => {
  expect(forecastText(waits, now)).toBe('place 2 of 5 in the queue, starts in about 3 min, ends in about 1 h 20 min')
  expect(forecastText({ ...waits, position: null, starts_at: null }, now)).toBe('ends in about 1 h 20 min')
  const unknown = { kind: 'not-measured' as const, benchmarks: ['gpqa', 'hle', 'aime'] as never[] }
  expect(forecastText({ ...waits, ends_at: null, unknown }, now)).toBe(
    'place 2 of 5 in the queue, starts in about 3 min, the end is not known: no trial of gpqa, hle and 1 more benchmarks has ended with this model yet',
  )
  expect(forecastText({ ...waits, starts_at: null, ends_at: null, unknown: { kind: 'behind-unknown' } }, now)).toBe(
    'place 2 of 5 in the queue, start and end are not known: it waits for a run whose end is not known',
  )
})

test('[OPS5] times ahead are rounded to what is known of them', () => {
  expect(aheadText('2026-01-01T12:00:40.000Z', now)).toBe('about 40 s')
  expect(aheadText('2026-01-01T12:01:29.000Z', now)).toBe('about 1 min')
  expect(aheadText('2026-01-01T11:59:00.000Z', now)).toBe('any moment')
  expect(aheadText(null, now)).toBeNull()
})
