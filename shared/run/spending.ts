import * as z from 'zod'
import { type BudgetKind, readHolder } from '../contract/budget.ts'
import { Parked, type RunHead } from '../contract/run.ts'
import { heldUsd, spentUsd } from './budget.ts'

/**
 * What the budgets of a run's team, person and key let the run come to in US dollars, all trials under way
 * included; null for no limit. `park` is set if no further trial fits before the period ends.
 */
export const Allowance = z.object({ usd: z.number().nullable(), park: Parked.nullable() })
export type Allowance = z.infer<typeof Allowance>

export const unlimited: Allowance = { usd: null, park: null }

/** The reason of a run that is parked because the budget of its team, person or key is used up. */
export const spendingReason = 'spending'

type Purse = Parameters<typeof spentUsd>[0] & Pick<RunHead, 'reserve_usd' | 'held_usd' | 'leased' | 'lost'>

/**
 * US dollars that a run has spent, keeps for lost attempts, and is bound to with its leases. Null where
 * a price is not known. Reservations of untold calls count as spent.
 */
export function commitment(head: Purse): { spent_usd: number; lost_usd: number; bound_usd: number } | null {
  const spent = spentUsd(head)
  if (spent === null || head.reserve_usd === null) return null
  const [spent_usd, lost_usd] = [spent + heldUsd(head), head.reserve_usd * head.lost]
  return { spent_usd, lost_usd, bound_usd: spent_usd + lost_usd + head.reserve_usd * head.leased }
}

/** Trials that an allowance lets begin beside those under way. */
export function coveredTrials(head: Purse, { usd }: Allowance): number {
  if (usd === null || head.reserve_usd === 0) return Number.MAX_SAFE_INTEGER
  const now = commitment(head)
  if (now === null || head.reserve_usd === null) return 0
  return Math.max(0, Math.floor((usd - now.bound_usd) / head.reserve_usd + 1e-9))
}

/** Whose budget it is, for people who may not be its holder: without names and amounts. */
const whose: Record<BudgetKind, string> = {
  team: 'of its team',
  person: 'of its owner',
  key: 'of the API key that started it',
  operator: 'that the operator gives each user',
}

/** Why a budget covers no further trial: its day or month is used up, or a price is not known. */
export type Shortage = { period: 'day' | 'month' | 'price'; until: string | null }

/** The park of a run whose team's, person's or key's budget covers no further trial. */
export function spendingParked(holder: string, { period, until }: Shortage): z.infer<typeof Parked> {
  const { kind } = readHolder(holder)
  if (period === 'price' || until === null)
    return {
      reason: spendingReason,
      detail: `The price of a model is not known, so the budget ${whose[kind]} cannot be kept. It goes on when that budget is taken away.`,
      until: null,
    }
  const detail = `The budget ${whose[kind]} is used up for this ${period}. The run goes on by itself on ${utc(until)}, or when the budget is raised.`
  return { reason: spendingReason, detail, until }
}

/** `2026-11-30 at 00:00 UTC`. */
export const utc = (iso: string): string => `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`
