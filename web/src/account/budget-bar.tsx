import type { Budget } from '#shared/contract/budget.ts'
import { limitText, usedShare } from '#shared/run/limit-text.ts'
import { usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** Shows how far a budget is used, in words and as a bar; renders nothing without a limit. */
export function BudgetBar(props: { budget: Pick<Budget, 'day' | 'month' | 'name'> }) {
  const share = () => usedShare(props.budget)
  return (
    <Show when={limitText(props.budget, (amount) => usd(amount))}>
      {(text) => (
        <div class="grid max-w-md gap-1">
          <span class="text-s text-muted tabular-nums">{text()}</span>
          <span class="h-1.5 overflow-hidden rounded-full bg-raised" aria-hidden="true">
            <span
              class="block h-full"
              classList={{ 'bg-moss-fill': (share() ?? 0) < 0.9, 'bg-papaya-fill': (share() ?? 0) >= 0.9 }}
              style={{ width: `${(share() ?? 0) * 100}%` }}
            />
          </span>
        </div>
      )}
    </Show>
  )
}
