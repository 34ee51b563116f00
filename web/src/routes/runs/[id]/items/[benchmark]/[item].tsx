import { A, type RouteSectionProps, useSearchParams } from '@solidjs/router'
import { HttpStatusCode } from '@solidjs/start'
import { createSignal, type JSX, Suspense, Switch } from 'solid-js'
import type { ApiProblem } from '../../../../../api.ts'
import { loadItem } from '../../../../../item/item-cache.ts'
import { type ItemFilter, readItemFilter, readItemPath } from '../../../../../item/item-filter.ts'
import { ItemPanel } from '../../../../../item/item-panel.tsx'
import { runPath } from '../../../../../paths.ts'
import { later } from '../../../../../ui/later.tsx'
import { ProblemNote } from '../../../../../ui/problem.tsx'
import { createSettled } from '../../../../../ui/settled.ts'
import { Match, Show } from '../../../../../ui/show.tsx'

const LiveItem = later(async () => (await import('../../../../../item/live/live-item.tsx')).LiveItem)

/** Run, benchmark, item, epoch, and how often it was asked for anew. */
type Wanted = [string, string, string, string, number]

/** Permalink of one item in one epoch; the filter in the address decides the list beside it. */
export default function ItemRoute(props: RouteSectionProps) {
  const [search] = useSearchParams()
  const filter = () => readItemFilter(search)
  // An item that was watched while it had no result is read again when it has one.
  const [reads, setReads] = createSignal(0)
  const wanted = () => {
    const { benchmark, item_id } = readItemPath(props.location.pathname) ?? { benchmark: '', item_id: '' }
    return JSON.stringify([props.params.id!, benchmark, item_id, String(search.epoch ?? 0), reads()] satisfies Wanted)
  }
  const read = createSettled(wanted, async (source) => {
    const [id, benchmark, item, epoch] = JSON.parse(source) as Wanted
    return { source, answer: await loadItem(id, benchmark, item, epoch) }
  })
  const detail = () => {
    const got = read()?.answer
    return got?.ok ? got.value : undefined
  }
  const problem = () => {
    const got = read()?.answer
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <Suspense fallback={<ItemSkeleton />}>
      <Switch fallback={<ItemSkeleton />}>
        <Match when={detail()}>
          {(got) => <ItemPanel runId={props.params.id!} detail={got()} filter={filter()} busy={read()?.source !== wanted()} />}
        </Match>
        <Match when={problem()}>
          {(got) => (
            <MaybeLive source={read()!.source} problem={got()} filter={filter()} recorded={() => setReads(reads() + 1)}>
              <div class="p-5">
                <HttpStatusCode code={got().status >= 400 ? got().status : 502} />
                <ProblemNote problem={got()}>
                  <A class="btn" href={runPath(props.params.id!, filter())}>
                    Close
                  </A>
                </ProblemNote>
              </div>
            </MaybeLive>
          )}
        </Match>
      </Switch>
    </Suspense>
  )
}

/** An item without a result may be under way; another item is another stream. */
function MaybeLive(props: { source: string; problem: ApiProblem; filter: ItemFilter; recorded: () => void; children: JSX.Element }) {
  return (
    <Show when={props.problem.code === 'item-not-found' && props.source} keyed fallback={props.children}>
      {(source) => {
        const [runId, benchmark, item, epoch] = JSON.parse(source) as Wanted
        return (
          <LiveItem
            runId={runId}
            benchmark={benchmark}
            item={item}
            epoch={epoch}
            filter={props.filter}
            recorded={props.recorded}
            fallback={props.children}
          />
        )
      }}
    </Show>
  )
}

function ItemSkeleton() {
  const bar = (width: string) => <span class={`skeleton block h-4 ${width}`} />
  return (
    <div class="grid gap-4 p-5" aria-hidden="true">
      {bar('w-40')}
      {bar('w-64')}
      <span class="skeleton block h-40 w-full" />
      {bar('w-3/4')}
      {bar('w-1/2')}
    </div>
  )
}
