import type { BudgetsPort } from '../budgets/port.ts'
import type { Env } from '../objects/env.ts'

/** Reaches the `BudgetObject` of each holder. Throws the platform's error if an object is unreachable. */
export function createBudgetsPort(objects: Env['BUDGET']): BudgetsPort {
  return {
    begin: (holder, run) => objects.getByName(holder).begin(run),
    forget: (holder, run_id) => objects.getByName(holder).forget(run_id),
    take: (holder, standing) => objects.getByName(holder).take(standing),
    set: (holder, limits) => objects.getByName(holder).set(limits),
    read: (holder) => objects.getByName(holder).read(),
  }
}
