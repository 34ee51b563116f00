import { Title } from '@solidjs/meta'
import { A, createAsync, useNavigate } from '@solidjs/router'
import { createMemo, createSignal, For, type JSX, onCleanup, onMount } from 'solid-js'
import X from '~icons/lucide/x'
import { livePath, runPath } from '../../paths.ts'
import { getRun } from '../../queries.ts'
import { TranscriptView } from '../../transcript/transcript-view.tsx'
import { count } from '../../ui/format.ts'
import { useKeys } from '../../ui/keys.ts'
import { later } from '../../ui/later.tsx'
import { TrialMark } from '../../ui/mark.tsx'
import { Show } from '../../ui/show.tsx'
import { loadItem } from '../item-cache.ts'
import type { ItemFilter } from '../item-filter.ts'
import { useOpenItem } from '../open-item.ts'
import { GrowingAnswer } from './growing-answer.tsx'
import { type LiveView, liveSentence } from './live-view.ts'
import { watchTrial } from './watch-trial.ts'

/** Loaded for trials that have a terminal. */
const LiveScreen = later(async () => (await import('../terminal/live-screen.tsx')).LiveScreen)

type Props = {
  runId: string
  benchmark: string
  item: string
  epoch: string
  filter: ItemFilter
  /** The record of the trial is there. */
  recorded: () => void
  /** What is shown where there is nothing to watch. */
  fallback: JSX.Element
}

/** A record reaches the database a second or two after its trial; one that has not after so many looks will not. Fewer are for what was not seen to run. */
const lookMs = 1000
const looks = { seen: 30, unseen: 5 }

/** An item that has no result yet: how it is being answered, until its record is there. */
export function LiveItem(props: Props) {
  const navigate = useNavigate()
  const open = useOpenItem()
  const [view, setView] = createSignal<LiveView>({ status: 'connecting' })
  const [lost, setLost] = createSignal(false)
  const [nothing, setNothing] = createSignal(false)
  const [begun, setBegun] = createSignal(false)
  const run = createAsync(() => getRun(props.runId))
  const name = () => {
    const got = run()
    return (got?.ok && got.value.benchmarks.find((one) => one.benchmark_name === props.benchmark)?.display_name) || props.benchmark
  }
  const close = () => runPath(props.runId, props.filter)
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async (left: number) => {
    const answer = await loadItem(props.runId, props.benchmark, props.item, props.epoch)
    if (answer.ok) return props.recorded()
    if (left === 0) return void setNothing(true)
    timer = setTimeout(() => void look(left - 1), lookMs)
  }
  onMount(() => {
    const stop = watchTrial(livePath(props.runId, props.benchmark, props.item, props.epoch), {
      changed(now, broken) {
        setView(now)
        setLost(broken)
        if (now.status === 'ended') void look(begun() ? looks.seen : looks.unseen)
        else setBegun(true)
      },
      refused: () => setNothing(true),
    })
    onCleanup(() => {
      stop()
      clearTimeout(timer)
    })
  })
  useKeys({
    j: () => open.step(1),
    k: () => open.step(-1),
    Escape: () => navigate(close(), { scroll: false }),
  })
  return (
    <Show when={begun() && !nothing()} fallback={props.fallback}>
      <article aria-labelledby="item-title">
        <Title>{`under way: ${name()} ${props.item} · Bench Runner`}</Title>
        <header class="sticky top-0 z-10 flex min-h-[3.25rem] items-center gap-2 border-b border-line bg-surface px-5 py-2">
          <TrialMark />
          <h2 id="item-title" class="min-w-0 truncate font-semibold">
            {name()} {props.item}
            <Show when={Number(props.epoch) > 0}>
              <span class="font-normal text-muted"> epoch {Number(props.epoch) + 1}</span>
            </Show>
          </h2>
          <A href={close()} noScroll class="btn btn-icon ml-auto shrink-0" aria-label="Close item (Esc)" title="Close (Esc)">
            <X size={16} />
          </A>
        </header>
        <div class="border-b border-line px-5 py-3" role="status">
          <p>{lost() ? 'The connection to the server is lost; it is tried again.' : liveSentence(view())}</p>
          <p class="mt-1 text-s text-muted">What is shown here is kept nowhere: the record that follows tells it all.</p>
        </div>
        <Running view={view()} />
      </article>
    </Show>
  )
}

function Running(props: { view: LiveView }) {
  const trial = () => (props.view.status === 'running' ? props.view.trial : undefined)
  const ids = createMemo(() => trial()?.calls.map(({ call }) => call) ?? [], [], { equals: (a, b) => a.join() === b.join() })
  const steps = createMemo(() => trial()?.steps.map(({ step }) => step) ?? [])
  const earlier = () => trial()?.steps[0]?.number ?? 0
  return (
    <>
      <Show when={trial()?.progress.at(-1)}>
        {(words) => <p class="border-b border-line px-5 py-3 break-words text-muted">{words()}</p>}
      </Show>
      <Show when={trial()?.screen}>{(screen) => <LiveScreen screen={screen()} />}</Show>
      <For each={ids()}>
        {(id) => (
          <Show when={trial()?.calls.find(({ call }) => call === id)}>
            {(call) => <GrowingAnswer call={call()} several={ids().length > 1 || steps().length > 0} />}
          </Show>
        )}
      </For>
      <Show when={steps().length > 0}>
        <Show when={earlier() > 0}>
          <p class="px-5 pt-4 text-s text-faint">The first {count(earlier())} steps are not shown before the trial has ended.</p>
        </Show>
        <TranscriptView steps={steps()} />
      </Show>
    </>
  )
}
