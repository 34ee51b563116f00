import { revalidate } from '@solidjs/router'
import { createSignal } from 'solid-js'
import { Budget } from '#shared/contract/budget.ts'
import { type ApiProblem, send } from '../api.ts'
import { Show } from '../ui/show.tsx'
import { getAudit, getBudgets, getOwnKeys } from './account-queries.ts'

/** Dollars as typed; null for an empty field, which is no limit. */
export const amountOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim().replace(/^\$/, '')))

type Props = {
  /** Whose budget it is; a key's where nothing is said. */
  kind?: 'key' | 'team'
  id: string
  name: string
  budget: Budget | null
  failed: (problem: ApiProblem | undefined) => void
}

/** Changes the limits of one key or team on the spot. An operator's limits cannot be changed here. */
export function SetBudget(props: Props) {
  const [open, setOpen] = createSignal(false)
  const limit = (period: 'day' | 'month') => props.budget?.[period].limit_usd ?? null
  const save = async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const limits = { day_usd: amountOf(String(given.get('day'))), month_usd: amountOf(String(given.get('month'))) }
    const answer = await send(Budget, `/api/budgets/${props.kind ?? 'key'}/${encodeURIComponent(props.id)}`, limits, { method: 'PUT' })
    props.failed(answer.ok ? undefined : answer.problem)
    if (!answer.ok) return
    setOpen(false)
    await revalidate([getOwnKeys.key, getBudgets.key, getAudit.key])
  }
  return (
    <Show
      when={open()}
      fallback={
        <Show when={props.budget?.set_by !== 'operator'} fallback={<span class="text-s text-muted">Limit set by the operator</span>}>
          <button type="button" class="btn" aria-label={`Budget of ${props.name}`} onClick={() => setOpen(true)}>
            Budget
          </button>
        </Show>
      }
    >
      <form
        class="flex flex-wrap items-end gap-2"
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        <label class="grid gap-1">
          <span class="text-s text-muted">$ a day</span>
          <input class="field w-24" name="day" inputmode="decimal" placeholder="no limit" value={limit('day') ?? ''} />
        </label>
        <label class="grid gap-1">
          <span class="text-s text-muted">$ a month</span>
          <input class="field w-24" name="month" inputmode="decimal" placeholder="no limit" value={limit('month') ?? ''} />
        </label>
        <button type="submit" class="btn btn-main">
          Set
        </button>
        <button type="button" class="btn" onClick={() => setOpen(false)}>
          Keep
        </button>
      </form>
    </Show>
  )
}
