import { roleEntries, rolesOf } from '../contract/role.ts'
import type { RunHead } from '../contract/run.ts'

type Spending = Pick<RunHead, 'cost_usd' | 'roles' | 'judge' | 'preflight'>
type Purse = Spending & Pick<RunHead, 'budget_usd' | 'reserve_usd' | 'leased' | 'lost'>

/** Why a run is parked when its budget covers no further trial. */
export const budgetSpent = {
  reason: 'budget',
  detail: 'The budget of this run is used up. Raise it to go on.',
  until: null,
} as const

/** What a run has cost so far in dollars, its helpers and its pre-flight included; null where the model's price is not known. */
export function spentUsd(head: Spending): number | null {
  if (head.cost_usd === null) return null
  const before = head.preflight?.spent.cost_usd ?? 0
  return roleEntries(rolesOf(head)).reduce((sum, [, { cost_usd }]) => sum + (cost_usd ?? 0), head.cost_usd + before)
}

/**
 * Trials the budget still covers when each may cost its reserve; everything leased, and everything lost with its agent, is reserved.
 * It covers helpers as well as the model.
 */
export function affordable(head: Purse): number {
  const spent = spentUsd(head)
  if (head.budget_usd === null || spent === null || !head.reserve_usd) return Number.MAX_SAFE_INTEGER
  return Math.max(0, Math.floor((head.budget_usd - spent) / head.reserve_usd + 1e-9) - head.leased - head.lost)
}

/** The least budget in dollars that lets one more trial begin; null where no price is known, so that no budget can be kept. */
export function leastBudgetUsd(head: Purse): number | null {
  const spent = spentUsd(head)
  if (spent === null || head.reserve_usd === null) return null
  return spent + head.reserve_usd * (head.leased + head.lost + 1)
}

/** Why this budget cannot be set; null when it can. Taking the limit away is always possible. */
export function budgetRefusal(head: Purse, budget_usd: number | null): string | null {
  if (budget_usd === null) return null
  const least = leastBudgetUsd(head)
  if (least === null) return 'The price of the model or of a helper is not known, so a budget cannot be kept.'
  // Compared as `affordable` counts, so that what is taken here lets at least one trial begin.
  if (affordable({ ...head, budget_usd }) > 0 || head.reserve_usd === 0) return null
  return `That budget covers no further trial: with what is spent and what is under way it takes at least $${upToCents(least)}.`
}

/** Rounded up to a hundredth of a cent, so that the number in the sentence is itself accepted. */
function upToCents(usd: number): string {
  return (Math.ceil(usd * 10_000 - 1e-6) / 10_000).toFixed(4).replace(/(\.\d\d)0+$/, '$1')
}
