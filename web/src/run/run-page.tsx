import { Title } from '@solidjs/meta'
import { revalidate, useLocation } from '@solidjs/router'
import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { ask } from '../api.ts'
import { ItemList } from '../item/item-list.tsx'
import { type Live, startLive } from '../live.ts'
import { followRun } from '../live-connection.ts'
import { getRun } from '../queries.ts'
import { percent } from '../ui/format.ts'
import { BenchmarkTable } from './benchmark-table.tsx'
import { JudgeLine } from './judge-line.tsx'
import { scoresAt } from './live-scores.ts'
import { RunFacts } from './run-facts.tsx'
import { RunHeader } from './run-header.tsx'
import { RunNotes } from './run-notes.tsx'
import { RunRescores } from './run-rescores.tsx'
import { RunTiles } from './run-tiles.tsx'

const settleMs = 4000

/** A run: header, numbers, benchmarks, notes, items; and beside them (over them on narrow screens) the item that is open. */
export function RunPage(props: { run: Run; panel: JSX.Element }) {
  const [live, setLive] = createSignal<Live>(startLive(props.run.head))
  const head = () => (live().head.seq >= props.run.head.seq ? live().head : props.run.head)
  const location = useLocation()
  const open = () => location.pathname.includes('/items/')
  // Memos: effects on them run when the state changes, not on every message.
  const ended = createMemo(() => isTerminal(props.run.head.status))
  const status = createMemo(() => live().head.status)
  const scores = createMemo(() => scoresAt(props.run, head()))
  const refresh = () => revalidate(getRun.keyFor(props.run.id))

  onMount(() => {
    let stop = () => {}
    const follow = () => {
      stop()
      stop = followRun(props.run.head, { fetchHead: () => fetchHead(props.run.id), changed: setLive })
    }
    // An ended run comes alive again when its failed trials are retried: the fetched head tells.
    createEffect(on(ended, follow))
    // What the state does not say (why a run failed, recorded metrics) is asked for when the status changes.
    createEffect(on(status, () => void refresh(), { defer: true }))
    // The recorded metrics of an ended run are computed once its last results have reached the record.
    let settling: ReturnType<typeof setTimeout> | undefined
    createEffect(
      on(
        ended,
        (over) => {
          if (over) settling = setTimeout(() => void refresh(), settleMs)
        },
        { defer: true },
      ),
    )
    onCleanup(() => clearTimeout(settling))
    onCleanup(() => stop())
  })

  return (
    <div class={open() ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(30rem,46%)]' : ''}>
      <Title>{`${percent(scores().overall.value)} ${props.run.model_slug} · Bench Runner`}</Title>
      <div class="min-w-0">
        <RunHeader run={props.run} head={head()} connection={live().connection} changed={refresh} />
        <div class="grid grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5 sm:px-6">
          <RunTiles run={props.run} head={head()} scores={scores()} samples={live().samples} />
          <JudgeLine spec={props.run.spec} head={head()} />
          <RunNotes run={props.run} head={head()} />
          <BenchmarkTable run={props.run} head={head()} scores={scores()} />
          <RunFacts run={props.run} />
          <Show when={ended()}>
            <RunRescores id={props.run.id} />
          </Show>
          <ItemList run={props.run} head={head()} feed={live().feed} seen={live().seen} />
        </div>
      </div>
      <Show when={open()}>
        <aside
          aria-label="Item"
          class="fixed inset-0 z-50 overflow-y-auto overscroll-contain bg-surface xl:sticky xl:top-0 xl:z-10 xl:h-dvh xl:border-l xl:border-line"
        >
          {props.panel}
        </aside>
      </Show>
    </div>
  )
}

async function fetchHead(id: string) {
  const answer = await ask(Run, `/api/runs/${id}`)
  return answer.ok ? answer.value.head : undefined
}
