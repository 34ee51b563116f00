import { batch, createEffect, createMemo, createSignal, on, untrack } from 'solid-js'
import { type ItemRow, ItemRowPage } from '#shared/contract/item-rows.ts'
import { type Answer, type ApiProblem, ask } from '../api.ts'
import { rowsApiPath } from '../paths.ts'
import { isPassing } from '../ui/is-passing.ts'
import { createSettled } from '../ui/settled.ts'
import type { ItemFilter } from './item-filter.ts'
import { nameOf } from './item-row.ts'
import { knownLength, type ListLength } from './list-length.ts'
import { pageSize, pagesAround, pagesKept } from './list-window.ts'

export type ListFilter = ItemFilter & { order: NonNullable<ItemFilter['order']> }
type Window = { limit: number; offset?: number; around?: string | undefined; until?: number | undefined }

/** A window of a run's item list, or the problem that took its place. */
export const loadRows = (runId: string, filter: ItemFilter, window: Window): Promise<Answer<ItemRowPage>> =>
  ask(ItemRowPage, rowsApiPath(runId, filter, window))

/** The list as it was first read for a filter: its length, its counts and one page, to which all other pages belong. */
type Anchor = { key: string; page: ItemRowPage; around: string | undefined; atMs: number }
type Read = { key: string; around: string | undefined; answer: Answer<ItemRowPage>; atMs: number; tookMs: number }

const mostPages = 60
const mostAtOnce = 2
const retryMs = 2000

/**
 * The lines of a list of any length, loaded by pages around what is in view. `around` names the item that the first page must hold; `alive`
 * says whether results still come: then the pages belong to the list as it was when it was read, until `read` reads it anew.
 */
export function createItemPages(options: {
  runId: string
  filter: () => ListFilter
  around: () => string | undefined
  alive: () => boolean
}) {
  const key = createMemo(() => JSON.stringify(options.filter()))
  const [round, setRound] = createSignal(0)
  const last = createSettled(
    createMemo(() => `${round()} ${key()}`),
    async (source): Promise<Read> => {
      const startedMs = Date.now()
      const around = untrack(options.around)
      const answer = await loadRows(options.runId, untrack(options.filter), { limit: pageSize, around })
      return { key: source.slice(source.indexOf(' ') + 1), around, answer, atMs: Date.now(), tookMs: Date.now() - startedMs }
    },
  )
  // Good data stays while a later reading of the same list fails.
  const anchor = createMemo<Anchor | undefined>((before) => {
    const read = last()
    if (!read) return before
    if (!read.answer.ok) return before?.key === read.key ? before : undefined
    return { key: read.key, page: read.answer.value, around: read.around, atMs: read.atMs }
  })
  const { pages, length, failed, want, add } = createPageStore(options, anchor)
  const rowAt = (index: number): ItemRow | undefined => pages().get(Math.floor(index / pageSize))?.[index % pageSize]
  /** The line of an item among those that are loaded. */
  const indexOf = (name: string): number | undefined => {
    for (const [page, rows] of pages()) {
      const at = rows.findIndex((row) => nameOf(row) === name)
      if (at >= 0) return page * pageSize + at
    }
    return undefined
  }
  const problem = (): ApiProblem | undefined => {
    const answer = last()?.answer
    if (!answer || answer.ok) {
      const missing = failed()
      // A live list loads the missing page again; the away note of the run tells the reason.
      return missing && options.alive() && isPassing(missing.status) ? undefined : missing
    }
    // What was read before is there, and is read again by itself; the page says that the server is away.
    return anchor()?.key === key() && isPassing(answer.problem.status) ? undefined : answer.problem
  }
  return {
    key,
    /** Whether the chosen filter's list is not there yet; what is shown is the one before. */
    stale: () => anchor()?.key !== key(),
    /** As far as is known: where a search counts no further, it grows with the pages that are loaded. */
    length,
    total: () => length()?.total,
    anchor,
    rowAt,
    indexOf,
    problem,
    want,
    add,
    tookMs: () => last()?.tookMs ?? 0,
    read: () => setRound(round() + 1),
  }
}
export type ItemPages = ReturnType<typeof createItemPages>

/** The loaded pages of an anchor; another anchor begins with its own page. */
function createPageStore(options: { runId: string; filter: () => ListFilter; alive: () => boolean }, anchor: () => Anchor | undefined) {
  const firstPages = createMemo(() => {
    const page = anchor()?.page
    return new Map(page ? [[Math.floor(page.offset / pageSize), page.rows]] : [])
  })
  const [more, setMore] = createSignal<{ of: Anchor | undefined; pages: ReadonlyMap<number, ItemRow[]>; length?: ListLength }>({
    of: undefined,
    pages: new Map(),
  })
  const pages = createMemo(
    (): ReadonlyMap<number, ItemRow[]> => (more().of === anchor() ? new Map([...firstPages(), ...more().pages]) : firstPages()),
  )
  const length = createMemo((): ListLength | undefined => (more().of === anchor() && more().length) || anchor()?.page)
  const [failed, setFailed] = createSignal<ApiProblem>()
  const [view, setView] = createSignal<[number, number]>([0, 0], { equals: (a, b) => a[0] === b[0] && a[1] === b[1] })
  const loading = new Set<number>()

  const add = (of: Anchor, answer: ItemRowPage) => {
    if (of !== anchor()) return
    const page = Math.floor(answer.offset / pageSize)
    const all = new Map([...(more().of === of ? more().pages : []), [page, answer.rows] as const])
    const kept = pagesKept(all.keys(), Math.floor(view()[0] / pageSize), mostPages)
    setMore({ of, pages: new Map(kept.map((number) => [number, all.get(number)!])), length: knownLength(length() ?? of.page, answer) })
  }
  const load = async (of: Anchor, page: number) => {
    loading.add(page)
    const until = options.alive() ? of.page.until : undefined
    const answer = await loadRows(options.runId, JSON.parse(of.key) as ListFilter, { limit: pageSize, offset: page * pageSize, until })
    batch(() => {
      if (answer.ok) add(of, answer.value)
      setFailed(answer.ok ? undefined : answer.problem)
    })
    if (!answer.ok) await new Promise((resolve) => setTimeout(resolve, retryMs))
    loading.delete(page)
    pump()
  }
  // What is in view when a page arrives decides what is asked for next: lines that were only passed are never asked for.
  const pump = () => {
    const of = anchor()
    if (!of) return
    for (const page of pagesAround(view()[0], view()[1], length()?.total ?? 0)) {
      if (loading.size >= mostAtOnce) return
      if (!pages().has(page) && !loading.has(page)) void load(of, page)
    }
  }
  createEffect(on([anchor, view], pump))
  return { pages, length, failed, add, want: (first: number, end: number) => setView([first, end]) }
}
