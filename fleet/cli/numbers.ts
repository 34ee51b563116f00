import type { RunHead } from '#shared/contract/run.ts'
import type { Spent } from '#shared/contract/usage.ts'
import { scoreWithLimits } from '#shared/metrics/score-text.ts'
import { costText, heldText, untoldText } from '#shared/run/spent-text.ts'

/** `72.4 % (71.1–73.6)`, the ends of the 95 % interval, or `–` while nothing is scored. */
export const score = scoreWithLimits

export function cost(usd: number | null): string {
  if (usd === null) return '–'
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

/** `cost $1.20`; where calls told no tokens also how many, and of a run how much the budget holds for them. */
export function costParts(spent: Spent & Pick<RunHead, 'held_usd' | 'preflight'>): string[] {
  const parts = [
    `cost ${costText(spent, cost, spent.usage.untold_calls ? 'unknown' : '–')}`,
    heldText(spent, cost),
    untoldText(spent.usage),
  ]
  return parts.filter((part) => part !== null)
}

/** `1 h 02 min`, `3 min 20 s`, `12 s`. */
export function duration(ms: number): string {
  const s = Math.round(ms / 1000)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`
}

export function count(n: number): string {
  return n.toLocaleString('en-US')
}
