import { expect, test } from 'vitest'
import { age, count, duration, moment, percent, priceText, short, usd } from './format.ts'

test('[UI1] what is not known is a dash', () => {
  expect([percent(null), count(undefined), short(null), duration(null)]).toEqual(['–', '–', '–', '–'])
  expect(percent(0)).toBe('0.0 %')
  expect(usd(null)).toBe('price unknown')
})

test('[UI2] durations grow through their units without a gap', () => {
  const shown = [0, 840, 3200, 9949, 9950, 59_499, 59_500, 125_000, 3_599_499, 3_600_000, 4_320_000, 172_800_000].map(duration)
  expect(shown).toEqual([
    '0 ms',
    '840 ms',
    '3.2 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 00 s',
    '2 min 05 s',
    '59 min 59 s',
    '1 h 00 min',
    '1 h 12 min',
    '2 d 0 h',
  ])
})

test('[UI2] dollars keep two meaningful digits', () => {
  expect([0, 0.00001, 0.0042, 0.31, 12.5, 1204.4].map(usd)).toEqual(['$0', '< $0.0001', '$0.0042', '$0.31', '$12.50', '$1,204'])
  expect(priceText({ input_per_million_usd: 0.15, output_per_million_usd: 0.6 })).toBe('$0.15 in · $0.60 out / M')
})

test('[UI2] large counts are shortened with three digits', () => {
  expect([950, 999.96, 12_345, 4_560_000, 7_000_000_000].map(short)).toEqual(['950', '1.00 k', '12.3 k', '4.56 M', '7.00 G'])
})

test('[UI2] ages round to the unit people use, and moments name their zone', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const ages = ['2026-11-21T12:00:05Z', '2026-11-21T11:59:20Z', '2026-11-21T11:59:00Z', '2026-11-21T09:10:00Z', '2026-11-09T12:00:00Z'].map(
    (at) => age(at, now),
  )
  expect(ages).toEqual(['just now', 'just now', '1 min ago', '3 h ago', '12 d ago'])
  expect(moment('2026-11-21T22:16:04.123Z')).toBe('2026-11-21 22:16:04 UTC')
})
