import type { Budget, BudgetPeriod } from '../contract/budget.ts'

const words = { day: 'today', month: 'this month' } as const

const periodText = ({ limit_usd, spent_usd, reserved_usd }: BudgetPeriod, when: string, money: (usd: number) => string): string | null => {
  if (limit_usd === null) return null
  const kept = reserved_usd > 0 ? ` and ${money(reserved_usd)} reserved` : ''
  return `${money(spent_usd)}${kept} of ${money(limit_usd)} ${when}`
}

/** How far a budget is used: `$0.20 of $1.00 today, $3.10 of $10.00 this month`; null without a limit. */
export function limitText({ day, month }: Pick<Budget, 'day' | 'month'>, money: (usd: number) => string): string | null {
  const parts = [periodText(day, words.day, money), periodText(month, words.month, money)].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(', ') : null
}

/** The share of a budget that is spent or reserved, by the period that is used most; null without a limit. */
export function usedShare({ day, month }: Pick<Budget, 'day' | 'month'>): number | null {
  const shares = [day, month].flatMap(({ limit_usd, spent_usd, reserved_usd }) =>
    limit_usd === null ? [] : [limit_usd === 0 ? 1 : (spent_usd + reserved_usd) / limit_usd],
  )
  return shares.length > 0 ? Math.min(1, Math.max(...shares)) : null
}
