import type { BudgetStore, StoredBudget } from '#db/budget-store.ts'

export const emptyBudgets = () => ({ budgets: new Map<string, StoredBudget>() })

/** Limits of budgets, kept in memory. */
export function memoryBudgetStore(record: ReturnType<typeof emptyBudgets>): BudgetStore {
  return {
    listBudgets: async (holders) => [...record.budgets.values()].filter(({ holder }) => holders === null || holders.includes(holder)),
    saveBudget: async (budget) => void record.budgets.set(budget.holder, { ...budget, set_at: '2026-01-02T03:04:05.000Z' }),
  }
}
