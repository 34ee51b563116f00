import { createAsync, revalidate, useNavigate } from '@solidjs/router'
import { createSignal } from 'solid-js'
import { Done, Run } from '#shared/contract/api.ts'
import { mayStillSucceed } from '#shared/contract/failure.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import Play from '~icons/lucide/play'
import RotateCcw from '~icons/lucide/rotate-ccw'
import { type ApiProblem, send } from '../api.ts'
import { runPath } from '../paths.ts'
import { getRun } from '../queries.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { randomId } from '../ui/random-id.ts'
import { Show } from '../ui/show.tsx'

/** Runs whose items are not asked by anybody's leave: their answers came from elsewhere, or their task has a page of its own. */
const notAsked = ['replay', 'regrade', 'imported', 'upload'] as const

/** Asks the item once more: in a run of its own, or in this run where it could not be scored. */
export function ItemAgain(props: { runId: string; record: TrialRecord }) {
  const navigate = useNavigate()
  const answer = createAsync(() => getRun(props.runId))
  const [busy, setBusy] = createSignal(false)
  const [said, setSaid] = createSignal('')
  const [problem, setProblem] = createSignal<ApiProblem>()
  const run = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  const asks = () => !!run() && !run()!.labels.some((label) => notAsked.some((one) => one === label))
  const fails = () => props.record.failure && `${props.record.failure.at}/${props.record.failure.reason}`
  const retries = () => !!run()?.mine && run()!.status !== 'canceled' && !!fails() && mayStillSucceed(fails()!)
  const again = async () => {
    setBusy(true)
    const body = { benchmark: props.record.benchmark, items: [`id:${props.record.item_id}`], team: run()?.mine ? run()?.team?.id : null }
    const started = await send(Run, `/api/runs/${props.runId}/again`, body, { headers: { 'idempotency-key': randomId() } })
    setBusy(false)
    setProblem(started.ok ? undefined : started.problem)
    if (started.ok) navigate(runPath(started.value.id))
  }
  const retry = async () => {
    setBusy(true)
    const { benchmark, item_id, epoch } = props.record
    const done = await send(
      Done,
      `/api/runs/${props.runId}/items/${encodeURIComponent(benchmark)}/${encodeURIComponent(item_id)}/retry?epoch=${epoch}`,
    )
    setBusy(false)
    setProblem(done.ok ? undefined : done.problem)
    setSaid(done.ok ? done.value.message : '')
    if (done.ok) await revalidate(getRun.keyFor(props.runId))
  }
  return (
    <Show when={asks()}>
      <div class="flex flex-wrap items-center gap-2 px-5 pt-4">
        <Show when={retries()}>
          <button type="button" class="btn" disabled={busy() || said() !== ''} onClick={() => void retry()}>
            <RotateCcw size={15} aria-hidden="true" />
            Retry this item
          </button>
        </Show>
        <button
          type="button"
          class="btn"
          disabled={busy()}
          title="A run of its own asks this item with the same settings"
          onClick={() => void again()}
        >
          <Play size={15} aria-hidden="true" />
          Run this item again
        </button>
        <span class="text-s text-moss" role="status">
          {said()}
        </span>
        <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
      </div>
    </Show>
  )
}
