import { createAsync } from '@solidjs/router'
import { For, Show } from 'solid-js'
import type { Budget } from '#shared/contract/budget.ts'
import { limitText } from '#shared/run/limit-text.ts'
import { usd } from '../ui/format.ts'
import { getBudgets } from './account-queries.ts'
import { BudgetBar } from './budget-bar.tsx'

const titles: Record<Budget['kind'], string> = { person: 'All of your runs', operator: 'Paid by the operator', key: 'A key' }

/** Shows what the runs of the user cost today and this month, and the limits that an operator has set. */
export function OwnBudgets() {
  const answer = createAsync(() => getBudgets())
  const shown = () => {
    const got = answer()
    return got?.ok ? got.value.budgets.filter(({ kind }) => kind !== 'key') : []
  }
  return (
    <Show when={shown().length > 0}>
      <section class="box grid gap-3 p-5" aria-label="Spending">
        <h2 class="font-semibold">Spending</h2>
        <For each={shown()}>
          {(budget) => (
            <div class="grid gap-1">
              <span class="font-medium">{titles[budget.kind]}</span>
              <Show when={limitText(budget, (amount) => usd(amount)) === null} fallback={<BudgetBar budget={budget} />}>
                <span class="text-s text-muted tabular-nums">
                  {usd(budget.day.spent_usd)} today, {usd(budget.month.spent_usd)} this month, without a limit
                </span>
              </Show>
            </div>
          )}
        </For>
        <p class="text-s text-muted">
          Days and months are those of UTC. A run that a budget stops goes on by itself when the next one begins.
        </p>
      </section>
    </Show>
  )
}
