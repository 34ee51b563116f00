import type { BudgetLimits, BudgetPeriod } from '#shared/contract/budget.ts'

/**
 * Where a run stands, in US dollars since its beginning: what it has spent (null: a price is not
 * known), what is reserved for lost attempts, what all of that and its leases come to, the least that
 * is of use, and what it would like. `turn` counts the run's messages; a holder ignores an older one.
 */
export type Standing = {
  run_id: string
  turn: number
  spent_usd: number | null
  lost_usd: number
  bound_usd: number
  need_usd: number
  want_usd: number
}

/** Why a holder grants less than a run needs. `used_up` is false if only reservations of other runs stand in the way. */
export type Short = { period: 'day' | 'month' | 'price'; until: string | null; used_up: boolean }

/** What a run may come to in US dollars; null where the holder has no limit. `room_usd` is the most that it could have. */
export type Grant = { granted_usd: number | null; room_usd: number | null; short: Short | null }

export type BudgetState = { limits: BudgetLimits; day: BudgetPeriod; month: BudgetPeriod }

/** Budgets of holders: each is kept at one place, which answers one call after the other. */
export type BudgetsPort = {
  /** Reserves the first trial of a run, or nothing if it does not fit. */
  begin(holder: string, run: { run_id: string; reserve_usd: number | null }): Promise<Grant>
  /** Takes back what `begin` reserved, if the run was not created. */
  forget(holder: string, run_id: string): Promise<void>
  /** Hears where a run stands and grants what fits. */
  take(holder: string, standing: Standing): Promise<Grant>
  /** Sets the limits and returns runs that were refused meanwhile. */
  set(holder: string, limits: BudgetLimits): Promise<string[]>
  read(holder: string): Promise<BudgetState>
}
