import { type BudgetLimits, noLimits } from '#shared/contract/budget.ts'
import { BudgetLedger, type LedgerRow, type LedgerShelf } from '../budgets/ledger.ts'
import type { BudgetsPort } from '../budgets/port.ts'

/** A shelf in memory, which outlives the ledger over it. */
export function memoryShelf(limits: BudgetLimits = noLimits): LedgerShelf {
  const rows = new Map<string, LedgerRow>()
  const kept = { limits, day: undefined as string | undefined }
  return {
    rows: () => [...rows.values()],
    put: (row) => void rows.set(row.run_id, row),
    drop: (run_id) => void rows.delete(run_id),
    day: () => kept.day,
    saveDay: (day) => {
      kept.day = day
    },
    limits: () => kept.limits,
    saveLimits: (next) => {
      kept.limits = next
    },
  }
}

/** Budgets of holders over storage in memory. `limitsOf` gives those that no call sets. */
export function memoryBudgets(now: () => number, limitsOf: (holder: string) => BudgetLimits = () => noLimits): BudgetsPort {
  const ledgers = new Map<string, BudgetLedger>()
  const of = (holder: string): BudgetLedger => {
    const ledger = ledgers.get(holder) ?? new BudgetLedger(memoryShelf(limitsOf(holder)), now)
    ledgers.set(holder, ledger)
    return ledger
  }
  return {
    begin: async (holder, run) => of(holder).begin(run),
    forget: async (holder, run_id) => of(holder).forget(run_id),
    take: async (holder, standing) => of(holder).take(standing),
    set: async (holder, limits) => of(holder).set(limits),
    read: async (holder) => of(holder).read(),
  }
}

/** For runs that no budget counts. */
export const noBudgets: Pick<BudgetsPort, 'take'> = { take: async () => ({ granted_usd: null, room_usd: null, short: null }) }
