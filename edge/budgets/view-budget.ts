import type { StoredBudget } from '#db/budget-store.ts'
import { type Budget, type BudgetKind, type BudgetLimits, holderOf } from '#shared/contract/budget.ts'
import { spendingReason } from '#shared/run/spending.ts'
import type { Deps } from '../deps.ts'

/** A team, a person, a key or what the operator pays for a person. */
export type Holder = { kind: BudgetKind; id: string; name: string }

/** Most runs that a raised budget resumes in one request. */
const mostResumed = 50

const isSet = ({ day_usd, month_usd }: BudgetLimits): boolean => day_usd !== null || month_usd !== null

/** A budget with how far it is used now. */
export async function viewBudget(
  { kind, id, name }: Holder,
  stored: StoredBudget | undefined,
  deps: Pick<Deps, 'budgets'>,
): Promise<Budget> {
  const { day, month } = await deps.budgets.read(holderOf(kind, id))
  return { kind, id, name, day, month, set_by: stored && isSet(stored) ? stored.set_by : null }
}

/** The budgets of those holders that have limits, by id. */
export async function readBudgets(holders: readonly Holder[], deps: Pick<Deps, 'budgets' | 'store'>): Promise<Map<string, Budget>> {
  const stored = await deps.store.listBudgets(holders.map(({ kind, id }) => holderOf(kind, id)))
  const limited = new Map(stored.filter(isSet).map((one) => [one.holder, one]))
  const found = holders.filter(({ kind, id }) => limited.has(holderOf(kind, id)))
  const budgets = await Promise.all(found.map((holder) => viewBudget(holder, limited.get(holderOf(holder.kind, holder.id)), deps)))
  return new Map(budgets.map((budget) => [budget.id, budget]))
}

/**
 * Sets the limits of a holder: in the record for lists, and at the object that keeps to them. Repeating
 * it changes nothing. Runs that were parked for the former limits are resumed.
 */
export async function setBudget(
  kind: 'team' | 'person' | 'key',
  { id, name }: { id: string; name: string },
  limits: BudgetLimits,
  set_by: 'owner' | 'operator',
  deps: Deps,
): Promise<Budget> {
  const holder = holderOf(kind, id)
  const stored = { holder, ...limits, set_by }
  await deps.store.saveBudget(stored)
  const waiting = await deps.budgets.set(holder, limits)
  await Promise.all(waiting.slice(0, mostResumed).map((run_id) => resume(run_id, deps)))
  return viewBudget({ kind, id, name }, { ...stored, set_at: '' }, deps)
}

/** Lets a run go on that a budget parked. A run that somebody paused stays paused. */
async function resume(run_id: string, { runs }: Pick<Deps, 'runs'>): Promise<void> {
  const head = await runs.head(run_id)
  if (head?.status === 'paused' && head.parked?.reason === spendingReason) await runs.command(run_id, { type: 'resume' })
}
