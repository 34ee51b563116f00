import type { AuditStore } from '#db/audit-store.ts'
import type { BudgetStore, StoredBudget } from '#db/budget-store.ts'
import type { AuditEntry } from '#shared/contract/audit.ts'

export const emptyBudgets = () => ({ budgets: new Map<string, StoredBudget>(), audit: [] as AuditEntry[] })

/** Limits of budgets and the audit log, kept in memory. */
export function memoryBudgetStore(record: ReturnType<typeof emptyBudgets>): BudgetStore & AuditStore {
  return {
    listBudgets: async (holders) => [...record.budgets.values()].filter(({ holder }) => holders === null || holders.includes(holder)),
    saveBudget: async (budget) => void record.budgets.set(budget.holder, { ...budget, set_at: '2026-01-02T03:04:05.000Z' }),
    addAudit: async (entry) => void record.audit.push({ ...entry, seq: record.audit.length + 1 }),
    listAudit: async ({ whose, action, before, limit }) =>
      record.audit
        .filter((one) => whose === null || one.actor_id === whose || one.owner_id === whose)
        .filter((one) => (action === undefined || one.action === action) && (before === null || one.seq < before))
        .toReversed()
        .slice(0, limit),
  }
}
