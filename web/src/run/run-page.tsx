import { Title } from '@solidjs/meta'
import { revalidate, useLocation } from '@solidjs/router'
import { createComputed, createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount } from 'solid-js'
import { isServer } from 'solid-js/web'
import { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { ask } from '../api.ts'
import { followLive } from '../follow-live.ts'
import { OpenItemContext } from '../item/open-item.ts'
import { createRunItems } from '../item/run-items.ts'
import { type Live, startLive } from '../live-state.ts'
import { getRun } from '../queries.ts'
import { percent } from '../ui/format.ts'
import { later } from '../ui/later.tsx'
import { Show } from '../ui/show.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { scoresAt } from './live-scores.ts'
import { RunHeader } from './run-header.tsx'

/** The list below everything; and what an item's permalink does not show. */
const ItemList = later(async () => (await import('../item/item-list.tsx')).ItemList)
const RunSummary = later(async () => (await import('./run-summary.tsx')).RunSummary)

/** How often a run whose last results are on their way to the record is asked for again; they take a second or two. */
const settleMs = 1200

/** A run: header, numbers, benchmarks, notes, items; and beside them (over them on narrow screens) the item that is open. */
export function RunPage(props: { run: Run; panel: JSX.Element }) {
  const [live, setLive] = createSignal<Live>(startLive(props.run.head))
  const head = () => (live().head.seq >= props.run.head.seq ? live().head : props.run.head)
  // A run that was seen alive keeps the room of its note when it ends: nothing jumps under the reader's eyes.
  const seenAlive = createMemo((before: boolean) => before || !isTerminal(head().status), false)
  const location = useLocation()
  const open = createMemo(() => location.pathname.includes('/items/'))
  // Memos: effects on them run when the state changes, not on every message.
  const ended = createMemo(() => isTerminal(props.run.head.status))
  const status = createMemo(() => live().head.status)
  const scores = createMemo(() => scoresAt(props.run, head()))
  const refresh = () => revalidate(getRun.keyFor(props.run.id))
  const items = createRunItems({ run: props.run, head, feed: () => live().feed })
  // A permalink needs the list only; what the item hides stays as it was for the way back.
  const drawn = createMemo((before: boolean) => before || !open(), false)
  keepScroll(open)

  onMount(() => {
    let stop = () => {}
    const follow = () => {
      stop()
      stop = followLive(props.run.head, { fetchRun: () => fetchRun(props.run.id), changed: setLive })
    }
    // An ended run comes alive again when its failed trials are retried: the fetched head tells.
    createEffect(on(ended, follow))
    // Back after the server was away: what else has changed meanwhile is asked for.
    const reached = createMemo(() => live().connection !== 'waiting')
    createEffect(on(reached, (back) => back && void refresh(), { defer: true }))
    // What the state does not say (why a run failed, recorded metrics) is asked for when the status changes.
    createEffect(on(status, () => void refresh(), { defer: true }))
    // The last results of a run that has ended reach the record after it, and its metrics are computed then; the list is read anew with them.
    const arriving = createMemo(() => props.run.arriving !== null)
    const settling = setInterval(() => arriving() && void refresh(), settleMs)
    createEffect(on(arriving, (still) => still || items.pages.read(), { defer: true }))
    onCleanup(() => clearInterval(settling))
    onCleanup(() => stop())
  })

  return (
    <OpenItemContext.Provider value={items.open}>
      <div class={open() ? 'xl:grid xl:grid-cols-[minmax(0,2fr)_minmax(36rem,3fr)]' : ''}>
        <Title>{`${percent(scores().overall.value)} ${props.run.model_slug} · Bench Runner`}</Title>
        <div class={`min-w-0 ${open() ? 'max-xl:invisible xl:sticky xl:top-0 xl:flex xl:h-dvh xl:flex-col' : ''}`}>
          <RunHeader run={props.run} head={head()} connection={live().connection} changed={refresh} />
          <div
            class={`grid grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5 sm:px-6 ${open() ? 'xl:flex xl:min-h-0 xl:flex-1 xl:flex-col xl:px-4 xl:py-3' : ''}`}
          >
            <Show when={drawn()}>
              <div class={`contents ${open() ? 'xl:hidden' : ''}`}>
                <RunSummary
                  fallback={<RowsSkeleton rows={4} />}
                  run={props.run}
                  head={head()}
                  live={live()}
                  scores={scores()}
                  seenAlive={seenAlive()}
                  ended={ended()}
                  filter={items.chosen()}
                  changed={refresh}
                />
              </div>
            </Show>
            <ItemList
              fallback={<RowsSkeleton rows={8} />}
              run={props.run}
              head={head()}
              beside={open()}
              {...items}
              filter={items.filter()}
              chosen={items.chosen()}
            />
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
    </OpenItemContext.Provider>
  )
}

/** A wide page is as high as the screen while an item is open: where it was scrolled to is remembered for the way back. */
function keepScroll(open: () => boolean): void {
  if (isServer) return
  let topPx = 0
  createComputed(
    on(open, (now) => {
      if (now) topPx = window.scrollY
    }),
  )
  createEffect(on(open, (now) => now || window.scrollTo({ top: topPx }), { defer: true }))
}

async function fetchRun(id: string) {
  const answer = await ask(Run, `/api/runs/${id}`)
  return answer.ok ? answer.value : undefined
}
