import { asc, inArray, sql } from 'drizzle-orm'
import type { StoredBudget } from '../budget-store.ts'
import type { Database } from '../connect.ts'
import { budgets } from '../schema/budgets.ts'

/** Most budgets that one list returns. */
const mostListed = 100

export async function listBudgets(db: Database, holders: readonly string[] | null): Promise<StoredBudget[]> {
  if (holders?.length === 0) return []
  return db
    .select()
    .from(budgets)
    .where(holders === null ? undefined : inArray(budgets.holder, [...holders]))
    .orderBy(asc(budgets.holder))
    .limit(mostListed)
}

export async function saveBudget(db: Database, budget: Omit<StoredBudget, 'set_at'>): Promise<void> {
  await db
    .insert(budgets)
    .values(budget)
    .onConflictDoUpdate({ target: budgets.holder, set: { ...budget, set_at: sql`now()` } })
}
