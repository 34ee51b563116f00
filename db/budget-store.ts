import type { BudgetLimits } from '#shared/contract/budget.ts'

/** The limits of one holder (`holderOf`), and who set them. */
export type StoredBudget = BudgetLimits & { holder: string; set_by: 'owner' | 'operator'; set_at: string }

/** Database methods for the limits of budgets. The `BudgetObject` of each holder keeps its spending. */
export type BudgetStore = {
  /** Lists the limits of these holders; null lists all, at most 100. */
  listBudgets(holders: readonly string[] | null): Promise<StoredBudget[]>
  saveBudget(budget: Omit<StoredBudget, 'set_at'>): Promise<void>
}
