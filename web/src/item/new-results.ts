import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup, onMount } from 'solid-js'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { FeedRow } from '../live-state.ts'
import { filterCount, matchesFilter } from './item-filter.ts'
import type { ItemPages, ListFilter } from './item-pages.ts'
import { freshRows } from './item-row.ts'
import { newText } from './new-text.ts'

const tickMs = 1000
const lateMs = 4000
/** The record gets the last results of a run within a moment of its end. */
const settleMs = [1200, 4000]

type Options = {
  pages: ItemPages
  filter: () => ListFilter
  open: () => boolean
  head: () => RunHead
  feed: () => readonly FeedRow[]
}

/**
 * What has come since the list was read. At the top of the list it shows at once, and the list is read again every second; away from it, or
 * beside an open item, the list stands still and a button says how much is new.
 */
export function createNewResults(options: Options) {
  const { pages, filter, open, head, feed } = options
  const [away, setAway] = createSignal(false)
  const [late, setLate] = createSignal(false)
  // An item that is watched as it is answered may be open before the list has a line to keep.
  const still = () => away() || (open() && (pages.total() ?? 0) > 0)
  const until = () => pages.anchor()?.page.until ?? 0
  const fitting = createMemo(() => feed().filter((row) => row.seq > until() && matchesFilter(row, filter())))
  const doneWhenRead = createMemo(on(pages.anchor, () => head().done))
  const held = createMemo(() => new Set(pages.anchor()?.page.rows.map((row) => row.ordinal)))
  const rows = createMemo(() =>
    still() || pages.stale() || filter().order !== 'finished' ? [] : freshRows(fitting(), until(), held(), late()),
  )
  const waiting: Accessor<string | undefined> = createMemo(() => {
    const total = pages.total()
    if (!still() || pages.stale() || total === undefined) return undefined
    // Without a filter the run's own count says how many there are.
    const all = head().done - total
    if (filterCount(filter()) === 0) return newText({ arrived: all, held: all, fitting: all, searched: false })
    const held = feed().filter((row) => row.seq > until()).length
    return newText({ arrived: head().done - doneWhenRead(), held, fitting: fitting().length, searched: filter().q !== undefined })
  })
  onMount(() => {
    let busyUntilMs = 0
    let seen = -1
    const refresh = () => {
      seen = head().seq
      busyUntilMs = Date.now() + Math.max(tickMs, 10 * pages.tookMs())
      pages.read()
    }
    const timer = setInterval(() => {
      setLate(Date.now() - (pages.anchor()?.atMs ?? 0) > lateMs)
      if (document.hidden || still() || head().seq === seen || Date.now() < busyUntilMs) return
      if (!isTerminal(head().status)) refresh()
    }, tickMs)
    onCleanup(() => clearInterval(timer))
    const settling: ReturnType<typeof setTimeout>[] = []
    createEffect(
      on(
        createMemo(() => isTerminal(head().status)),
        (ended) => {
          if (ended) for (const ms of settleMs) settling.push(setTimeout(() => still() || pages.read(), ms))
        },
        { defer: true },
      ),
    )
    onCleanup(() => settling.forEach(clearTimeout))
  })
  return {
    rows,
    waiting,
    scrolled: setAway,
    show: () => pages.read(),
  }
}
export type NewResults = ReturnType<typeof createNewResults>
