import { createSignal } from 'solid-js'
import * as z from 'zod'
import type { Status } from '#shared/contract/api.ts'
import { type ApiProblem, send } from '../api.ts'
import { moment } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

const Answer = z.object({ mode: z.boolean() })

/** Refuses new runs, with a message and a moment at which that ends by itself. */
export function MaintenanceBox(props: { status: z.infer<typeof Status> | undefined; changed: () => void }) {
  const [message, setMessage] = createSignal('')
  const [minutes, setMinutes] = createSignal('60')
  const [problem, setProblem] = createSignal<ApiProblem>()
  const set = async (mode: boolean) => {
    const until = mode && Number(minutes()) > 0 ? new Date(Date.now() + Number(minutes()) * 60_000).toISOString() : null
    const answer = await send(Answer, '/api/admin/maintenance', mode ? { mode, message: message(), until } : { mode })
    setProblem(answer.ok ? undefined : answer.problem)
    props.changed()
  }
  return (
    <section class="box mt-5 p-4" aria-label="Maintenance">
      <h2 class="font-semibold">Maintenance</h2>
      <Show
        when={props.status?.maintenance_mode}
        fallback={
          <>
            <p class="mt-1 text-muted">New runs are refused with this message; runs under way go on.</p>
            <form
              class="mt-3 flex flex-wrap items-end gap-3"
              onSubmit={(event) => {
                event.preventDefault()
                void set(true)
              }}
            >
              <label class="min-w-56 flex-1">
                <span class="block text-s text-muted">Message</span>
                <input class="field w-full" maxlength="500" value={message()} onInput={(event) => setMessage(event.currentTarget.value)} />
              </label>
              <label>
                <span class="block text-s text-muted">Ends after minutes (0: never)</span>
                <input
                  class="field w-full"
                  type="number"
                  min="0"
                  max="10080"
                  value={minutes()}
                  onInput={(event) => setMinutes(event.currentTarget.value)}
                />
              </label>
              <button type="submit" class="btn">
                Start maintenance
              </button>
            </form>
          </>
        }
      >
        <p class="mt-1">
          New runs are refused{props.status?.until ? ` until ${moment(props.status.until)}` : ' until somebody ends it'}.{' '}
          <span class="text-muted">{props.status?.message}</span>
        </p>
        <button type="button" class="btn mt-3" onClick={() => set(false)}>
          End maintenance
        </button>
      </Show>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
    </section>
  )
}
