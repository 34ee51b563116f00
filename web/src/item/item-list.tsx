import { createAsync, revalidate, useLocation, useSearchParams } from '@solidjs/router'
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { FeedRow } from '../live.ts'
import { getItems } from '../queries.ts'
import { count } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { filterCount, type ItemFilter, matchesFilter, readItemFilter } from './item-filter.ts'
import { ItemFilters } from './item-filters.tsx'
import { feedToRow, type ItemRow, mergeRows } from './item-row.ts'
import { ItemTableHead, ItemTableRow } from './item-table-row.tsx'
import { rowHeight, rowWindow } from './row-window.ts'

const pageSize = 100
/** The stream carries no texts: for the rows on top they are asked for this often while it brings new ones. */
const textsMs = 3000
const textsPage = 40

type Props = { run: Run; head: RunHead; feed: FeedRow[]; seen: number }

/** The items of a run: filtered by the address, loaded as one scrolls, with the stream's results on top while the run lives. */
export function ItemList(props: Props) {
  const [search] = useSearchParams()
  const location = useLocation()
  const alive = !isTerminal(props.run.head.status)
  const filter = createMemo((): ItemFilter & { order: NonNullable<ItemFilter['order']> } => {
    const read = readItemFilter(search)
    return { ...read, order: read.order ?? (alive ? 'finished' : 'plan') }
  })
  const key = createMemo(() => JSON.stringify(filter()))
  const first = createAsync(() => {
    key()
    return getItems(props.run.id, filter(), { limit: pageSize })
  })
  const { rows, total, fresh, showFresh, loadMore, setScrolled } = createRows(props, filter, key, first)
  const [topPx, setTopPx] = createSignal(0)
  // The box is never higher than the screen, so the screen's height is enough to know; the server assumes a usual one.
  const [heightPx, setHeightPx] = createSignal(900)
  onMount(() => setHeightPx(window.innerHeight))
  let box!: HTMLDivElement
  const range = createMemo(() => rowWindow(rows().length, topPx(), heightPx()), undefined, {
    equals: (a, b) => a[0] === b[0] && a[1] === b[1],
  })
  const indexes = createMemo(() => Array.from({ length: range()[1] - range()[0] }, (_, index) => range()[0] + index))
  createEffect(() => {
    if (range()[1] >= rows().length - 30) void loadMore()
  })
  const scroll = () => {
    setTopPx(box.scrollTop)
    setScrolled(box.scrollTop > rowHeight)
  }
  const problem = () => {
    const answer = first()
    return answer && !answer.ok ? answer.problem : undefined
  }
  return (
    <section aria-label="Items" class="@container">
      <ItemFilters run={props.run} head={props.head} filter={filter()} total={filterCount(filter()) ? total() : props.head.done} />
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
      <div class="relative">
        <Show when={fresh() > 0}>
          <button
            type="button"
            class="btn btn-main absolute top-10 left-1/2 z-20 h-7 -translate-x-1/2 shadow-box"
            onClick={() => {
              box.scrollTop = 0
              showFresh()
            }}
          >
            {count(fresh())} new
          </button>
        </Show>
        <div ref={box} class="box max-h-[calc(100dvh-10rem)] min-h-40 overflow-auto" onScroll={scroll}>
          <table class="w-full table-fixed border-separate border-spacing-0" aria-rowcount={total()}>
            <caption class="sr-only">Items of this run in the chosen filter</caption>
            <ItemTableHead several={props.run.benchmarks.length > 1} />
            <tbody>
              <tr style={{ height: `${range()[0] * rowHeight}px` }} />
              <For each={indexes()}>
                {(index) => (
                  <Show when={rows()[index]}>
                    {(row) => (
                      <ItemTableRow
                        run={props.run}
                        row={row()}
                        index={index}
                        filter={search}
                        current={location.pathname}
                        epoch={search.epoch}
                      />
                    )}
                  </Show>
                )}
              </For>
              <tr style={{ height: `${(rows().length - range()[1]) * rowHeight}px` }} />
            </tbody>
          </table>
          <Show when={first() && rows().length === 0}>
            <p class="p-6 text-center text-muted">
              {props.head.done === 0 ? 'No trial is done yet. Results appear here as they come.' : 'No item fits this filter.'}
            </p>
          </Show>
        </div>
      </div>
    </section>
  )
}

type FirstPage = () => Awaited<ReturnType<typeof getItems>> | undefined

/** Loaded pages and streamed results as one list. Results wait behind a button while somebody has scrolled away from the top. */
function createRows(props: Props, filter: () => ItemFilter, key: () => string, first: FirstPage) {
  const firstRows = createMemo(() => {
    const answer = first()
    return answer?.ok ? answer.value : { rows: [], total: 0 }
  })
  const [more, setMore] = createSignal<ItemRow[]>([])
  const [shownFeed, setShownFeed] = createSignal<ItemRow[]>([])
  const [scrolled, setScrolled] = createSignal(false)
  const [added, setAdded] = createSignal(0)
  const [waiting, setWaiting] = createSignal<FeedRow[]>([])
  let loading = false
  let ended = false

  createEffect(
    on(
      key,
      () => {
        setMore([])
        setShownFeed([])
        setWaiting([])
        setAdded(0)
        ended = false
      },
      { defer: true },
    ),
  )
  const showFresh = () => {
    const rows = waiting().map(feedToRow)
    setWaiting([])
    setAdded((before) => before + rows.length)
    setShownFeed((before) => mergeRows(rows, before).slice(0, 1000))
  }
  createEffect(
    on(
      () => props.seen,
      (seen, before = 0) => {
        ended = false
        if (filter().order !== 'finished') return
        const rows = props.feed.slice(0, seen - before).filter((row) => matchesFilter(row, filter()))
        setWaiting((old) => [...rows, ...old].slice(0, 500))
        if (!scrolled()) showFresh()
      },
      { defer: true },
    ),
  )
  createEffect(on(scrolled, (away) => away || showFresh(), { defer: true }))

  const [texts, setTexts] = createSignal<ItemRow[]>([])
  const rows = createMemo(() =>
    mergeRows(mergeRows(shownFeed(), texts()).slice(0, shownFeed().length), mergeRows(firstRows().rows, more())),
  )
  const loadTexts = async () => {
    if (
      document.hidden ||
      !rows()
        .slice(0, textsPage)
        .some((row) => !row.snippet)
    )
      return
    const answer = await getItems(props.run.id, filter(), { limit: textsPage })
    if (answer.ok) setTexts((before) => mergeRows(answer.value.rows, before).slice(0, 1000))
  }
  const settle = () => {
    if (scrolled()) return
    setShownFeed([])
    setAdded(0)
    void revalidate(getItems.key)
  }
  onMount(() => {
    const timer = setInterval(() => void loadTexts(), textsMs)
    onCleanup(() => clearInterval(timer))
    let settling: ReturnType<typeof setTimeout> | undefined
    onCleanup(() => clearTimeout(settling))
    const ended = createMemo(() => isTerminal(props.head.status))
    // Once the record has everything, the list is the record's.
    createEffect(
      on(
        ended,
        (over) => {
          if (over && shownFeed().length > 0) settling = setTimeout(settle, 1200)
        },
        { defer: true },
      ),
    )
  })
  const loadMore = async () => {
    const loaded = mergeRows(firstRows().rows, more())
    if (loading || ended || loaded.length === 0 || loaded.length >= firstRows().total) return
    loading = true
    const asked = key()
    const page = filter().order === 'plan' ? { after: loaded.at(-1)!.ordinal } : { offset: loaded.length + added() }
    const answer = await getItems(props.run.id, filter(), { limit: pageSize, ...page })
    loading = false
    if (!answer.ok || asked !== key()) return
    if (answer.value.rows.length < pageSize) ended = true
    setMore((before) => [...before, ...answer.value.rows])
  }
  const total = () => Math.max(firstRows().total + added(), rows().length)
  return { rows, total, fresh: () => waiting().length, showFresh, loadMore, setScrolled }
}
