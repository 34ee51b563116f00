import { useNavigate } from '@solidjs/router'
import { createSignal } from 'solid-js'
import { type RegradeRequest, RegradeStarted } from '#shared/contract/regrade.ts'
import { type ApiProblem, send } from '../api.ts'
import { runPath } from '../paths.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { LeftOutNote } from './left-out-note.tsx'

/** Has the service grade episodes of an ended run again and goes to the run that does it; what hinders it is said beside the button. */
export function RegradeButton(props: { runId: string; narrowed?: RegradeRequest; small?: boolean; children: string }) {
  const navigate = useNavigate()
  const [busy, setBusy] = createSignal(false)
  const [started, setStarted] = createSignal<RegradeStarted>()
  const [problem, setProblem] = createSignal<ApiProblem>()
  const regrade = async () => {
    setBusy(true)
    const answer = await send(RegradeStarted, `/api/runs/${encodeURIComponent(props.runId)}/regrade`, props.narrowed ?? {})
    setBusy(false)
    setProblem(answer.ok ? undefined : answer.problem)
    if (!answer.ok) return
    if (answer.value.left_out.length === 0) navigate(runPath(answer.value.run_id))
    else setStarted(answer.value)
  }
  return (
    <>
      <button
        type="button"
        class={`btn ${props.small ? 'h-7 px-2 text-s' : ''}`}
        disabled={busy()}
        title="Runs the tests of now over what was handed over; nobody works again, and this run stays as it is"
        onClick={() => void regrade()}
      >
        {props.children}
      </button>
      <Show when={problem()}>
        {(got) => (
          <div class="fixed right-4 bottom-16 z-50 w-[min(28rem,calc(100vw-2rem))] shadow-box sm:bottom-4">
            <ProblemNote problem={got()}>
              <button type="button" class="chip" onClick={() => setProblem(undefined)}>
                Close
              </button>
            </ProblemNote>
          </div>
        )}
      </Show>
      <Show when={started()}>{(got) => <LeftOutNote started={got()} />}</Show>
    </>
  )
}
