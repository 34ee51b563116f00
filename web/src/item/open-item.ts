import { useNavigate } from '@solidjs/router'
import { createContext, createEffect, createMemo, createSignal, on, onCleanup, useContext } from 'solid-js'
import { isServer } from 'solid-js/web'
import type { ItemRow } from '#shared/contract/item-rows.ts'
import { itemPath } from '../paths.ts'
import { prefetchItem } from './item-cache.ts'
import type { ItemFilter } from './item-filter.ts'
import { type ItemPages, type ListFilter, loadRows } from './item-pages.ts'
import { nameOf } from './item-row.ts'
import { type Place, pageSize, stepTarget } from './list-window.ts'

/** Pause between two addresses while keys come quicker than items can be drawn. */
const strideMs = 80
const prefetchMs = 120

/**
 * The item that is open, as a place in the list: its line, and the ways to its neighbours. `name` is that of the address, undefined where none
 * is open. Steps add up: each goes on from the line that is already on its way.
 */
export function createOpenItem(options: {
  runId: string
  pages: ItemPages
  filter: () => ListFilter
  /** The filter as the address has it, for links. */
  chosen: () => ItemFilter
  name: () => string | undefined
}) {
  const { runId, pages, filter, name } = options
  const navigate = useNavigate()
  const [onTheWay, setOnTheWay] = createSignal<number>()
  const [notice, setNotice] = createSignal('')
  const place = createPlace(options)
  const index = () => onTheWay() ?? (place()?.listed ? place()!.before : undefined)
  const pathOf = (row: Pick<ItemRow, 'benchmark' | 'item_id' | 'epoch'>, change: ItemFilter = {}) =>
    itemPath(runId, row.benchmark, row.item_id, row.epoch, { ...options.chosen(), ...change })
  const open = (path: string) => navigate(path, { scroll: false, replace: true })

  const stride = createStride(() => {
    const target = onTheWay()
    const row = target === undefined ? undefined : pages.rowAt(target)
    if (row) open(pathOf(row))
  })
  // A line that is not loaded yet is opened when it is; an address that came by itself (back, a click) ends all steps.
  createEffect(
    on(
      () => (onTheWay() === undefined ? undefined : pages.rowAt(onTheWay()!)),
      (row) => row && stride(),
      { defer: true },
    ),
  )
  createEffect(
    on(name, (now) => {
      const target = onTheWay()
      const row = target === undefined ? undefined : pages.rowAt(target)
      if (now === undefined || (row && nameOf(row) === now)) setOnTheWay(undefined)
      setNotice('')
    }),
  )
  const step = (delta: 1 | -1) => {
    const target = stepTarget(place(), onTheWay(), delta, pages.total() ?? 0)
    if (target !== undefined) setOnTheWay(target)
  }
  const toWrong = async (direction: 1 | -1) => {
    const from = index()
    if (from !== undefined)
      for (let at = from + direction, row = pages.rowAt(at); row; at += direction, row = pages.rowAt(at))
        if (row.outcome === 'wrong') return setOnTheWay(at)
    const found = await findWrong(runId, { ...filter(), outcome: 'wrong', failure: undefined }, name(), direction)
    const beside = filter().outcome && filter().outcome !== 'wrong' // the list leaves wrong answers out: it changes with the item
    if (found) open(pathOf(found, beside || filter().failure ? { outcome: 'wrong', failure: undefined } : {}))
    else setNotice(direction === 1 ? 'No wrong answer comes after this one.' : 'No wrong answer stands before this one.')
  }
  if (!isServer) prefetchNeighbours(runId, pages, index)
  return { name, index, length: pages.length, step, toWrong, notice, pathAt: (at: number) => maybe(pages.rowAt(at), pathOf) }
}
export type OpenItem = ReturnType<typeof createOpenItem>
export const OpenItemContext = createContext<OpenItem>()

/** The open item's place in the list; it is part of every run page. */
export function useOpenItem(): OpenItem {
  const open = useContext(OpenItemContext)
  if (!open) throw new Error('an item is drawn inside a run page')
  return open
}

const maybe = <T, R>(value: T | undefined, map: (value: T) => R): R | undefined => (value === undefined ? undefined : map(value))

/** The line of the item in the address: among the loaded ones, as the list was read around it, or asked for. */
function createPlace(options: { runId: string; pages: ItemPages; filter: () => ListFilter; name: () => string | undefined }) {
  const { runId, pages, filter, name } = options
  const [asked, setAsked] = createSignal<{ name: string; anchor: unknown; place: Place }>()
  const known = createMemo((): Place | undefined => {
    const now = name()
    const anchor = pages.anchor()
    if (now === undefined || !anchor) return undefined
    const at = pages.indexOf(now)
    if (at !== undefined) return { before: at, listed: true }
    if (anchor.around === now && anchor.page.place) return anchor.page.place
    const answer = asked()
    if (answer?.name === now && answer.anchor === anchor) return answer.place
    return undefined
  })
  createEffect(() => {
    const now = name()
    const anchor = pages.anchor()
    if (now === undefined || !anchor || known() !== undefined) return
    void loadRows(runId, filter(), { limit: pageSize, around: now, until: anchor.page.until }).then((answer) => {
      if (!answer.ok) return
      pages.add(anchor, answer.value)
      setAsked({ name: now, anchor, place: answer.value.place ?? { before: 0, listed: false } })
    })
  })
  return known
}

/** The wrong answer next to an item, on either side of its place in the order of the list. */
async function findWrong(runId: string, filter: ListFilter, name: string | undefined, direction: 1 | -1): Promise<ItemRow | undefined> {
  const around = await loadRows(runId, filter, { limit: 1, around: name })
  if (!around.ok || !around.value.place) return undefined
  const { before, listed } = around.value.place
  const wanted = direction === 1 ? before + (listed ? 1 : 0) : before - 1
  if (wanted < 0 || wanted >= around.value.total) return undefined
  if (wanted === around.value.offset) return around.value.rows[0]
  const answer = await loadRows(runId, filter, { limit: 1, offset: wanted })
  return answer.ok ? answer.value.rows[0] : undefined
}

/** Calls `act` at once, and again for calls that come within the stride, when it is over. */
function createStride(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const rest = () => {
    timer = undefined
    if (again) stride()
  }
  const stride = () => {
    again = timer !== undefined
    if (again) return
    act()
    timer = setTimeout(rest, strideMs)
  }
  onCleanup(() => clearTimeout(timer))
  return stride
}

/** Once the reader stands still, the items on both sides are fetched, so that the next key finds them here. */
function prefetchNeighbours(runId: string, pages: ItemPages, index: () => number | undefined): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(
    on(index, (at) => {
      clearTimeout(timer)
      if (at === undefined) return
      timer = setTimeout(() => {
        for (const beside of [at + 1, at - 1, at + 2]) {
          const row = pages.rowAt(beside)
          if (row) prefetchItem(runId, row.benchmark, row.item_id, String(row.epoch))
        }
      }, prefetchMs)
    }),
  )
  onCleanup(() => clearTimeout(timer))
}
