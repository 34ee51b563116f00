import { createAsync } from '@solidjs/router'
import { For } from 'solid-js'
import type { Budget } from '#shared/contract/budget.ts'
import { limitText } from '#shared/run/limit-text.ts'
import { usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { getBudgets } from './account-queries.ts'
import { BudgetBar } from './budget-bar.tsx'

/** Names a budget for people. */
const titleOf = ({ kind, name }: Budget): string =>
  kind === 'team' ? `Runs of ${name}` : kind === 'person' ? 'All of your runs' : 'Paid by the operator'

/** Shows what the runs of the user and the user's teams cost today and this month, and the limits that an operator has set. */
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
              <span class="font-medium">{titleOf(budget)}</span>
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
