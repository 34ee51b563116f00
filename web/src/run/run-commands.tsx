import { createSignal } from 'solid-js'
import { Done, type Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { retryCount } from '#shared/run/retry-count.ts'
import Pause from '~icons/lucide/pause'
import Play from '~icons/lucide/play'
import RotateCcw from '~icons/lucide/rotate-ccw'
import Square from '~icons/lucide/square'
import { type ApiProblem, send } from '../api.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { count } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

/** What the owner may do with the run in its present state. */
export function RunCommands(props: { run: Run; head: RunHead; changed: () => void }) {
  const [busy, setBusy] = createSignal(false)
  const [refused, setRefused] = createSignal<{ name: string; problem: ApiProblem }>()
  const failed = () => retryCount(props.head).again
  const open = () => !isTerminal(props.head.status)
  const command = async (name: string) => {
    setBusy(true)
    const answer = await send(Done, `/api/runs/${props.run.id}/${name}`)
    setBusy(false)
    setRefused(answer.ok ? undefined : { name, problem: answer.problem })
    props.changed()
  }
  return (
    <Show when={props.run.mine}>
      <Show when={refused()}>
        {(got) => (
          <div class="fixed right-4 bottom-16 z-50 w-[min(28rem,calc(100vw-2rem))] shadow-box sm:bottom-4">
            <ProblemNote problem={got().problem}>
              <button type="button" class="chip" disabled={busy()} onClick={() => command(got().name)}>
                Try again
              </button>
              <button type="button" class="chip" onClick={() => setRefused(undefined)}>
                Close
              </button>
            </ProblemNote>
          </div>
        )}
      </Show>
      <Show when={props.head.status === 'running' || props.head.status === 'queued'}>
        <button type="button" class="btn" disabled={busy()} onClick={() => command('pause')}>
          <Pause size={15} aria-hidden="true" />
          Pause
        </button>
      </Show>
      <Show when={props.head.status === 'paused'}>
        <button type="button" class="btn btn-main" disabled={busy()} onClick={() => command('resume')}>
          <Play size={15} aria-hidden="true" />
          Resume
        </button>
      </Show>
      <Show when={open()}>
        <ConfirmButton
          question={`${count(props.head.total - props.head.done)} trials would not be asked.`}
          yes="Cancel the run"
          disabled={busy()}
          act={() => command('cancel')}
        >
          <Square size={15} aria-hidden="true" />
          Cancel
        </ConfirmButton>
      </Show>
      <Show when={!open() && failed() > 0 && props.head.status !== 'canceled' && !props.run.labels.includes('imported')}>
        <button type="button" class="btn" disabled={busy()} onClick={() => command('retry-failed')}>
          <RotateCcw size={15} aria-hidden="true" />
          Retry {count(failed())} failed
        </button>
      </Show>
    </Show>
  )
}
