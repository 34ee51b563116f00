import { createVirtualizer } from '@tanstack/solid-virtual'
import { createEffect, createMemo, createSignal, For, Index, on, onCleanup, onMount } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import type { ItemRow } from '#shared/contract/item-rows.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import type { ItemFilter } from './item-filter.ts'
import { ItemFilters } from './item-filters.tsx'
import type { ItemPages, ListFilter } from './item-pages.ts'
import { nameOf } from './item-row.ts'
import { ItemTableHead, ItemTableRow, WaitingRow } from './item-table-row.tsx'
import { headPx, rowHeights, topToShow, travelTarget } from './list-window.ts'
import type { NewResults } from './new-results.ts'
import type { OpenItem } from './open-item.ts'

const narrowPx = 768

type Props = {
  run: Run
  head: RunHead
  filter: ListFilter
  /** The filter as the address has it, for links. */
  chosen: ItemFilter
  pages: ItemPages
  open: OpenItem
  fresh: NewResults
  /** Beside an open item the list takes the height that there is. */
  beside: boolean
}

/** The items of a run as one list of its full height, of which the lines in view are loaded and drawn. */
export function ItemList(props: Props) {
  let section!: HTMLElement
  let box!: HTMLElement
  const fresh = () => props.fresh.rows()
  const priced = () => props.head.cost_usd !== null
  const total = () => (props.pages.total() ?? 0) + fresh().length
  const rowAt = (index: number): ItemRow | undefined => fresh()[index] ?? props.pages.rowAt(index - fresh().length)
  const [narrow, setNarrow] = createSignal(false)
  const rowPx = () => (narrow() ? rowHeights.narrow : rowHeights.wide)
  const virtual = createVirtualizer<HTMLElement, HTMLTableRowElement>({
    get count() {
      return total()
    },
    getScrollElement: () => box,
    estimateSize: rowPx,
    overscan: 10,
    initialRect: { width: 900, height: 900 },
    // The box is scrolled by hands and by `scrollTo` below. The virtualizer would scroll it back to the top when it begins.
    scrollToFn: () => undefined,
  })
  // A visitor may have scrolled the box before the virtualizer listened to it.
  onMount(() => box.dispatchEvent(new Event('scroll')))
  createEffect(on(rowPx, () => virtual.measure(), { defer: true }))
  onMount(() => {
    const observer = new ResizeObserver(([entry]) => setNarrow(entry!.contentRect.width < narrowPx))
    observer.observe(section)
    onCleanup(() => observer.disconnect())
  })
  // Lines by their numbers: a line that stays in view stays the same element.
  const drawn = createMemo(() => virtual.getVirtualItems().map(({ index }) => index), undefined, {
    equals: (a, b) => a.length === b.length && a[0] === b[0] && a.at(-1) === b.at(-1),
  })
  createEffect(() => {
    const shift = fresh().length
    props.pages.want(Math.max(0, (drawn()[0] ?? 0) - shift), Math.max(0, (drawn().at(-1) ?? -1) + 1 - shift))
  })
  // A new filter or order is a new list: it begins at its top, or at the open item.
  // The virtualizer would also take back for some frames what a hand on the scroll bar does meanwhile.
  const scrollTo = (topPx: number) => {
    box.scrollTop = topPx
  }
  const show = (index: number) => scrollTo(topToShow(index, { topPx: box.scrollTop, heightPx: box.clientHeight, rowPx: rowPx() }))
  createEffect(on(props.pages.key, () => props.open.index() === undefined && scrollTo(0), { defer: true }))
  createEffect(
    on([props.open.index, rowPx, () => total() > 0], ([index]) => {
      if (index !== undefined) show(index + fresh().length)
    }),
  )
  const focusLine = createLineFocus(props, { box: () => box, show, total, rowPx })
  const spaceBelow = () => Math.max(0, total() - (drawn().at(-1) ?? -1) - 1) * rowPx()
  return (
    <section
      ref={section}
      id="items"
      aria-label="Items"
      class={`@container scroll-mt-16 max-sm:scroll-mt-24 ${props.beside ? 'xl:flex xl:min-h-0 xl:flex-1 xl:flex-col' : ''}`}
    >
      <ItemFilters run={props.run} head={props.head} filter={props.filter} length={props.pages.length()} />
      <Show when={props.pages.problem()}>
        {(problem) => (
          <ProblemNote problem={problem()}>
            <button type="button" class="btn" onClick={() => props.pages.read()}>
              Try again
            </button>
          </ProblemNote>
        )}
      </Show>
      <div class={`relative ${props.beside ? 'xl:flex xl:min-h-0 xl:flex-1 xl:flex-col' : ''}`}>
        <NewButton fresh={props.fresh} toTop={() => scrollTo(0)} />
        {/* A box that scrolls is reached by the keyboard, to travel it by End, Home and pages. Browsers may not anchor it to a line: lines come and go. */}
        <section
          ref={box}
          tabindex="0"
          aria-label="Lines of the list"
          class={`box min-h-40 overflow-auto [overflow-anchor:none] ${props.beside ? 'max-xl:max-h-[calc(100dvh-10rem)] xl:min-h-0 xl:flex-1' : 'max-h-[calc(100dvh-10rem)]'} ${props.pages.stale() ? 'opacity-60' : ''}`}
          aria-busy={props.pages.stale()}
          onScroll={() => props.fresh.scrolled(box.scrollTop > rowPx())}
          onKeyDown={focusLine}
        >
          <table
            class="w-full table-fixed border-separate border-spacing-0"
            aria-rowcount={props.pages.length()?.total_is === 'at-least' ? -1 : total() + 1}
          >
            <caption class="sr-only">Items of this run in the chosen filter</caption>
            <ItemTableHead several={props.run.benchmarks.length > 1} priced={priced()} />
            <tbody>
              <tr style={{ height: `${(drawn()[0] ?? 0) * rowPx()}px` }} />
              <For each={drawn()}>
                {(index) => (
                  <Show when={rowAt(index)} fallback={<WaitingRow index={index} priced={priced()} />}>
                    {(row) => (
                      <ItemTableRow
                        run={props.run}
                        row={row()}
                        index={index}
                        filter={props.chosen}
                        open={isOpen(props.open, row(), index, fresh().length)}
                        priced={priced()}
                      />
                    )}
                  </Show>
                )}
              </For>
              <tr style={{ height: `${spaceBelow()}px` }} />
            </tbody>
          </table>
          <Show when={props.pages.total() === undefined && !props.pages.problem()}>
            <Waiting />
          </Show>
          <Show when={props.pages.total() === 0 && total() === 0}>
            <p class="p-6 text-center text-muted">
              {props.head.done === 0 ? 'No trial is done yet. Results appear here as they come.' : 'No item fits this filter.'}
            </p>
          </Show>
        </section>
      </div>
    </section>
  )
}

const isOpen = (open: OpenItem, row: ItemRow, index: number, shift: number): boolean =>
  open.name() !== undefined && (open.index() === undefined ? nameOf(row) === open.name() : index - shift === open.index())

function Waiting() {
  return (
    <table class="w-full table-fixed border-separate border-spacing-0" aria-hidden="true">
      <tbody>
        <Index each={Array.from({ length: 12 })}>{(_, index) => <WaitingRow index={index} priced={false} />}</Index>
      </tbody>
    </table>
  )
}

function NewButton(props: { fresh: NewResults; toTop: () => void }) {
  return (
    <Show when={props.fresh.waiting()}>
      {(text) => (
        <button
          type="button"
          class="btn btn-main absolute top-10 left-1/2 z-20 h-7 -translate-x-1/2 shadow-box"
          onClick={() => {
            props.toTop()
            props.fresh.show()
          }}
        >
          {text()}
        </button>
      )}
    </Show>
  )
}

type Lines = { box(): HTMLElement; show(index: number): void; total(): number; rowPx(): number }

/** Keys on a line's link move the focus over the whole list; a line that is not drawn yet is focused when it is. Elsewhere the box scrolls by itself. */
function createLineFocus(props: Props, { box, show, total, rowPx }: Lines): (event: KeyboardEvent) => void {
  let wanted: number | undefined
  const focus = (): boolean => {
    const link = box().querySelector<HTMLElement>(`[aria-rowindex="${(wanted ?? -1) + 2}"] a`)
    link?.focus({ preventScroll: true })
    return link !== null
  }
  // Each arriving page and each scrolled line may be the one that is waited for.
  onMount(() => {
    const observer = new MutationObserver(() => {
      if (wanted !== undefined && focus()) wanted = undefined
    })
    observer.observe(box(), { childList: true, subtree: true })
    onCleanup(() => observer.disconnect())
  })
  createEffect(
    on(props.open.name, (name, before) => {
      // Where the item covered the list, the focus comes back to its line.
      if (name !== undefined || before === undefined || box().contains(document.activeElement)) return
      box()
        .querySelector<HTMLElement>(`a[data-item=${JSON.stringify(before)}]`)
        ?.focus({ preventScroll: true })
    }),
  )
  return (event) => {
    const at = (event.target as HTMLElement).closest('tr')?.getAttribute('aria-rowindex')
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return
    const perPage = Math.max(1, Math.floor((box().clientHeight - headPx) / rowPx()) - 1)
    const target = travelTarget(event.key, Number(at) - 2, perPage, total())
    if (target === undefined) return
    event.preventDefault()
    wanted = target
    show(target)
    if (focus()) wanted = undefined
    // Until its line is drawn the box holds the focus, which a line that goes would lose.
    else box().focus({ preventScroll: true })
  }
}
