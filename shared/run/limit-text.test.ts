import { expect, test } from 'vitest'
import { limitText, usedShare } from './limit-text.ts'

const period = (limit_usd: number | null, spent_usd = 0, reserved_usd = 0) => ({ limit_usd, spent_usd, reserved_usd, ends_at: '' })
const money = (usd: number) => `$${usd}`

test('[BUDGET12] a budget is shown in words and as the share of its fuller period, reservations included', () => {
  expect(limitText({ day: period(null, 3), month: period(null, 3) }, money)).toBeNull()
  expect(usedShare({ day: period(null, 3), month: period(null, 3) })).toBeNull()
  const both = { day: period(2, 1, 0.5), month: period(10, 9) }
  expect(limitText(both, money)).toBe('$1 and $0.5 reserved of $2 today, $9 of $10 this month')
  expect(usedShare(both)).toBe(0.9)
  expect([usedShare({ ...both, day: period(0) }), usedShare({ ...both, day: period(1, 5) })]).toEqual([1, 1])
})
