import * as z from 'zod'

const Usd = z.number().min(0).max(1_000_000)

/** Most US dollars that a budget lets its holder spend by day and by month, in UTC; null for no limit. */
export const BudgetLimits = z.object({
  day_usd: Usd.nullable().describe('Most US dollars a day, in UTC; null for no limit'),
  month_usd: Usd.nullable().describe('Most US dollars a month, in UTC; null for no limit'),
})
export type BudgetLimits = z.infer<typeof BudgetLimits>
export const noLimits: BudgetLimits = { day_usd: null, month_usd: null }

/** Whose budget it is. `person` is an owner of runs; `operator` is what the operator pays for one person. */
export const budgetKinds = ['team', 'person', 'key', 'operator'] as const
export const BudgetKind = z.enum(budgetKinds)
export type BudgetKind = z.infer<typeof BudgetKind>

/** How far a budget is used in the present day or month. */
export const BudgetPeriod = z.object({
  limit_usd: z.number().nullable().describe('The limit in US dollars; null for none'),
  spent_usd: z.number().describe('US dollars spent, with reservations of calls whose tokens were not told'),
  reserved_usd: z.number().describe('US dollars kept back for trials under way and for runs that have not begun'),
  ends_at: z.string().describe('When the next day or month begins, in UTC'),
})
export type BudgetPeriod = z.infer<typeof BudgetPeriod>

export const Budget = z.object({
  kind: BudgetKind.describe('Whose budget it is'),
  id: z.string().describe('Id of the key, the person or the team'),
  name: z.string().describe('Name of the key, the person or the team'),
  day: BudgetPeriod.describe('The present day'),
  month: BudgetPeriod.describe('The present month'),
  set_by: z.enum(['owner', 'operator']).nullable().describe('Who set the limits; null for a budget without any'),
})
export type Budget = z.infer<typeof Budget>
export const BudgetList = z.object({ budgets: z.array(Budget).describe('Budgets, at most 100') })
export type BudgetList = z.infer<typeof BudgetList>

/** Name of the holder of a budget, as plans and the record write it. */
export const holderOf = (kind: BudgetKind, id: string): string => `${kind}:${id}`

/** The kind and id behind a holder's name. */
export function readHolder(holder: string): { kind: BudgetKind; id: string } {
  const at = holder.indexOf(':')
  return { kind: BudgetKind.parse(holder.slice(0, at)), id: holder.slice(at + 1) }
}
