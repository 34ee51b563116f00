import { roleEntries, rolesOf } from '../contract/role.ts'
import type { RunHead } from '../contract/run.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { isUntold } from '../contract/usage.ts'
import { mostReplies } from './reserve.ts'

type Spending = Pick<RunHead, 'usage' | 'cost_usd' | 'roles' | 'preflight'>
type Purse = Spending & Pick<RunHead, 'budget_usd' | 'reserve_usd' | 'held_usd' | 'leased' | 'lost'>

/** The reason of a run that is parked because its budget covers no further trial. */
export const budgetReason = 'budget'

/** The park of a run whose budget covers no further trial: what the next may cost, and what is left for it. */
export function budgetParked(head: Purse & Pick<RunHead, 'benchmarks'>): { reason: string; detail: string; until: null } {
  const asked = Object.values(head.benchmarks).every(({ reserved_calls = 1 }) => reserved_calls === 1) ? 'call' : 'trial'
  const left = (head.budget_usd ?? 0) - (leastBudgetUsd(head) ?? 0) + (head.reserve_usd ?? 0)
  const next = `The next ${asked} may cost $${upToCents(head.reserve_usd ?? 0)}; $${downToCents(left)} of the budget is left.`
  const untold = untoldCalls(head)
  const held = untold > 0 ? [`$${upToCents(heldUsd(head))} is held for ${callsText(untold)} whose tokens the provider did not tell.`] : []
  const lost =
    head.lost > 0 ? [`$${upToCents(head.lost * (head.reserve_usd ?? 0))} is held for ${trialsText(head.lost)} lost with an agent.`] : []
  return { reason: budgetReason, detail: [next, ...held, ...lost, 'Raise the budget to go on.'].join(' '), until: null }
}

/** What a run is known to have cost so far in dollars, its helpers and its pre-flight included; null where the model's price is not known. */
export function spentUsd(head: Spending): number | null {
  if (head.cost_usd === null && !isUntold(head.usage)) return null
  const before = head.preflight?.spent.cost_usd ?? 0
  return roleEntries(rolesOf(head)).reduce((sum, [, { cost_usd }]) => sum + (cost_usd ?? 0), (head.cost_usd ?? 0) + before)
}

/** Dollars that count as spent beside `spentUsd`, because calls told no tokens: the reservations of their trials, and of the pre-flight's questions. */
export function heldUsd({ held_usd = 0, preflight }: Pick<RunHead, 'held_usd' | 'preflight'>): number {
  return held_usd + (preflight?.spent.usage.untold_calls ?? 0) * (preflight?.reserve_usd ?? 0)
}

/** Calls of the run whose tokens were not told, those of helpers and of the pre-flight included. */
export function untoldCalls(head: Pick<RunHead, 'usage' | 'roles' | 'preflight'>): number {
  const usages = [head.usage, head.preflight?.spent.usage, ...roleEntries(rolesOf(head)).map(([, { usage }]) => usage)]
  return usages.reduce((sum, usage) => sum + (usage?.untold_calls ?? 0), 0)
}

/**
 * Reservations in dollars that count as spent for one attempt at a trial of this benchmark: none where every call told its tokens. Each covers as
 * many untold calls as a trial makes at most, so that repeated calls are covered too.
 */
export function heldFor(
  { reserve_usd, benchmarks }: Pick<RunHead, 'reserve_usd' | 'benchmarks'>,
  benchmark: string,
  attempt: Pick<TrialBrief, 'usage' | 'roles'>,
): number {
  const roles = rolesOf(attempt)
  const untold = {
    model: attempt.usage.untold_calls ?? 0,
    judge: roles.judge?.usage.untold_calls ?? 0,
    user: roles.user?.usage.untold_calls ?? 0,
  }
  if (!reserve_usd || untold.model + untold.judge + untold.user === 0) return 0
  const { reserved_calls: covered = 1 } = benchmarks[benchmark]!
  return reserve_usd * Math.ceil(Math.max(untold.model / covered, untold.user / covered, untold.judge / mostReplies))
}

/**
 * Trials the budget still covers when each may cost its reserve; everything leased, and everything lost with its agent, is reserved.
 * It covers helpers as well as the model.
 */
export function affordable(head: Purse): number {
  const spent = spentUsd(head)
  if (head.budget_usd === null || spent === null || !head.reserve_usd) return Number.MAX_SAFE_INTEGER
  return Math.max(0, Math.floor((head.budget_usd - spent - heldUsd(head)) / head.reserve_usd + 1e-9) - head.leased - head.lost)
}

/** The least budget in dollars that lets one more trial begin; null where no price is known, so that no budget can be kept. */
export function leastBudgetUsd(head: Purse): number | null {
  const spent = spentUsd(head)
  if (spent === null || head.reserve_usd === null) return null
  return spent + heldUsd(head) + head.reserve_usd * (head.leased + head.lost + 1)
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

/**
 * Trials that a budget lets begin, when `trials` of them together cost `total_usd` by estimate: each begins only while its reservation is left. Null
 * where there is no budget or a price is not known.
 */
export function budgetTrials(
  budget_usd: number | null | undefined,
  total_usd: number | null,
  reserve_usd: number | null,
  trials: number,
): number | null {
  if (budget_usd == null || total_usd === null || reserve_usd === null) return null
  if (budget_usd < reserve_usd) return 0
  const each = total_usd / trials
  return each === 0 ? trials : Math.min(trials, Math.floor((budget_usd - reserve_usd) / each + 1e-9) + 1)
}

const callsText = (calls: number): string => (calls === 1 ? '1 call' : `${calls.toLocaleString('en-US')} calls`)
const trialsText = (trials: number): string => (trials === 1 ? '1 trial' : `${trials.toLocaleString('en-US')} trials`)

/** Rounded up to a hundredth of a cent, so that the number in the sentence is itself accepted. */
export const upToCents = (usd: number): string => inCents(Math.ceil(usd * 10_000 - 1e-6))
const downToCents = (usd: number): string => inCents(Math.floor(Math.max(0, usd) * 10_000 + 1e-6))
const inCents = (hundredths: number): string => (hundredths / 10_000).toFixed(4).replace(/(\.\d\d)0+$/, '$1')
