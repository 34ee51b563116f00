import { createSignal } from 'solid-js'
import { Run } from '#shared/contract/api.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { leastBudgetUsd } from '#shared/run/budget.ts'
import { whoActs } from '#shared/run/who-acts.ts'
import { type ApiProblem, send } from '../api.ts'
import { moment } from '../ui/format.ts'
import { Note } from '../ui/note.tsx'
import { Show } from '../ui/show.tsx'

/** Why a run is parked and who must act; its owner raises a used-up budget right here. */
export function ParkedNote(props: { run: Run; head: RunHead; parked: NonNullable<RunHead['parked']>; changed: () => void }) {
  return (
    <Note title={`The run is parked: ${props.parked.reason}`}>
      <p>{props.parked.detail}</p>
      <Show
        when={props.parked.reason === 'budget' && props.run.mine}
        fallback={
          <p class="mt-1 text-ink">
            <Show when={props.parked.until} fallback={whoActs(props.parked.reason)}>
              {(until) => <>It goes on by itself at {moment(until())}.</>}
            </Show>
          </p>
        }
      >
        <BudgetForm run={props.run} head={props.head} changed={props.changed} />
      </Show>
    </Note>
  )
}

function BudgetForm(props: { run: Run; head: RunHead; changed: () => void }) {
  const least = () => leastBudgetUsd(props.head) ?? 0
  // Twice what was allowed, unless even that covers no further trial.
  const suggested = () => Math.max(2 * (props.head.budget_usd ?? 0), Math.ceil(least() * 100) / 100)
  const [usd, setUsd] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const [problem, setProblem] = createSignal<ApiProblem>()
  const change = async (budget_usd: number | null) => {
    setBusy(true)
    const answer = await send(Run, `/api/runs/${props.run.id}`, { budget_usd }, { method: 'PATCH' })
    setBusy(false)
    setProblem(answer.ok ? undefined : answer.problem)
    if (answer.ok) props.changed()
  }
  return (
    <form
      class="mt-2 flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void change(Number(usd() ?? suggested()))
      }}
    >
      <label class="flex items-center gap-2">
        New budget, in all
        <span>
          ${' '}
          <input
            type="number"
            class="field w-28"
            min="0"
            step="any"
            required
            value={usd() ?? suggested()}
            onInput={(event) => setUsd(event.currentTarget.value)}
          />
        </span>
      </label>
      <button type="submit" class="btn btn-main" disabled={busy()}>
        Raise and go on
      </button>
      <button type="button" class="btn" disabled={busy()} onClick={() => void change(null)}>
        Go on without a budget
      </button>
      <Show when={problem()}>
        {(got) => (
          <p role="alert" class="w-full text-papaya">
            {got().detail}
          </p>
        )}
      </Show>
    </form>
  )
}
