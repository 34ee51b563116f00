import { type Accessor, createEffect, createSignal, on, onCleanup, onMount } from 'solid-js'
import { Run } from '#shared/contract/api.ts'
import { UnderWay } from '#shared/contract/live.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { TaskRun } from '#shared/contract/task-upload.ts'
import { ask } from '../api.ts'
import { followLive } from '../follow-live.ts'
import { type Live, startLive } from '../live-state.ts'
import { underWayPath } from '../paths.ts'

/** How often it is asked which episodes are at work, as the page of a run does. */
const lookMs = 3000
/** The record gets the last results of a run within a moment of its end. */
const settleMs = [1200, 4000]

export type LiveExecution = { live: Accessor<Live | undefined>; atWork: Accessor<ReadonlySet<number>> }

/**
 * Follows a run of a task while it is open: its events by the stream that the run's own page reads, and every three seconds which episodes agents have.
 * `changed` is called when it has ended and its record is whole.
 */
export function createLiveExecution(run: Accessor<TaskRun>, changed: () => void): LiveExecution {
  const [live, setLive] = createSignal<Live>()
  const [atWork, setAtWork] = createSignal<ReadonlySet<number>>(new Set())
  onMount(() => {
    createEffect(
      on(
        () => isTerminal(run().status),
        (ended) => {
          if (ended) return setAtWork(new Set<number>())
          setLive(undefined)
          const { run_id } = run()
          onCleanup(follow(run_id, setLive))
          onCleanup(lookAtWork(run_id, setAtWork))
        },
      ),
    )
    let timers: ReturnType<typeof setTimeout>[] = []
    createEffect(
      on(
        () => live()?.connection === 'ended',
        (ended) => {
          if (!ended) return
          changed()
          timers = settleMs.map((ms) => setTimeout(changed, ms))
        },
      ),
    )
    onCleanup(() => {
      for (const timer of timers) clearTimeout(timer)
    })
  })
  return { live, atWork }
}

/** Folds the events of a run, from the state that the API has now; gives what stops it. */
function follow(id: string, changed: (live: Live) => void): () => void {
  let [stop, stopped] = [() => {}, false]
  const fetchRun = async () => {
    const answer = await ask(Run, `/api/runs/${id}`)
    return answer.ok ? answer.value : undefined
  }
  const begin = async () => {
    const run = await fetchRun()
    if (stopped) return
    if (run) {
      // A run that has ended by now sends no events.
      changed(startLive(run.head))
      stop = followLive(run.head, { fetchRun, changed })
    } else {
      const timer = setTimeout(() => void begin(), lookMs)
      stop = () => clearTimeout(timer)
    }
  }
  void begin()
  return () => {
    stopped = true
    stop()
  }
}

function lookAtWork(id: string, changed: (epochs: ReadonlySet<number>) => void): () => void {
  const look = async () => {
    if (document.hidden) return
    const answer = await ask(UnderWay, underWayPath(id))
    if (answer.ok) changed(new Set(answer.value.trials.map(({ epoch }) => epoch)))
  }
  void look()
  const timer = setInterval(() => void look(), lookMs)
  return () => clearInterval(timer)
}
