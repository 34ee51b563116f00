import { createAsync, revalidate } from '@solidjs/router'
import { createMemo, createSignal, For } from 'solid-js'
import type { BenchmarkInfo } from '#shared/contract/api.ts'
import type { ListedItem } from '#shared/contract/item-list.ts'
import { Choice, SearchField } from '../ui/filter-fields.tsx'
import { count } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { getItemList } from './item-list-query.ts'
import { addNames, isChosen, namesInFile, toggleItem } from './item-names.ts'
import type { Selection } from './selection.ts'

type Props = {
  benchmark: BenchmarkInfo
  selection: Selection
  provider: string | undefined
  /** Names of the chosen items; empty: all items count. */
  names: readonly string[]
  choose: (names: string[]) => void
}

const pageItems = 100

/** The items of a benchmark with a tick each, to ask only some of them. */
export function ItemChooser(props: Props) {
  const [search, setSearch] = createSignal<string>()
  const [group, setGroup] = createSignal<string>()
  const [offset, setOffset] = createSignal(0)
  const answer = createAsync(() => {
    const { data, profile } = props.selection
    const query = { provider: props.provider, data, profile, search: search(), group: group(), offset: offset(), limit: pageItems }
    return getItemList(props.benchmark.name, query)
  })
  const page = () => {
    const got = answer.latest
    return got?.ok ? got.value : undefined
  }
  const problem = () => {
    const got = answer.latest
    return got && !got.ok ? got.problem : undefined
  }
  const groups = createMemo(() => (page()?.groups ?? []).map((one) => [one.group, `${one.group} (${count(one.items)})`] as const))
  const narrow = (set: () => void) => {
    set()
    setOffset(0)
  }
  const addFile = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (file) props.choose(addNames(props.names, namesInFile(await file.text())))
    input.value = ''
  }
  return (
    <div class="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div class="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search the items by id, key or group"
          placeholder="Id, key or group"
          class="w-full sm:w-64"
          value={search()}
          set={(text) => narrow(() => setSearch(text))}
        />
        <Show when={groups().length > 0}>
          <Choice label="Group" value={group()} options={groups()} all="every group" set={(one) => narrow(() => setGroup(one))} />
        </Show>
        <Show when={group()}>
          {(one) => (
            <button type="button" class="chip" onClick={() => props.choose(addNames(props.names, [`group:${one()}`]))}>
              Choose all of {one()}
            </button>
          )}
        </Show>
        <label class="chip cursor-pointer focus-within:outline-2">
          Names from a file
          <input type="file" accept=".txt,.csv,text/plain" class="sr-only" onChange={(event) => void addFile(event.currentTarget)} />
        </label>
      </div>
      <Chosen names={props.names} choose={props.choose} />
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} retry={() => revalidate(getItemList.key)} />}</Show>
      <Show
        when={page()}
        fallback={
          <Show when={!problem()}>
            <p class="text-muted" role="status">
              The items are being listed…
            </p>
          </Show>
        }
      >
        {(got) => (
          <>
            <ul class="max-h-80 overflow-y-auto rounded-[6px] border border-line" aria-label={`Items of ${props.benchmark.display_name}`}>
              <For each={got().items} fallback={<li class="px-3 py-2 text-muted">No item matches: search for something else.</li>}>
                {(item) => <Row item={item} names={props.names} choose={props.choose} />}
              </For>
            </ul>
            <p class="flex flex-wrap items-center gap-2 text-s text-muted">
              <button type="button" class="chip" disabled={offset() === 0} onClick={() => setOffset(Math.max(0, offset() - pageItems))}>
                Earlier
              </button>
              <button type="button" class="chip" disabled={got().next === null} onClick={() => setOffset(got().next ?? 0)}>
                Later
              </button>
              {got().matching === 0 ? 'none' : `${count(offset() + 1)} to ${count(offset() + got().items.length)}`} of{' '}
              {count(got().matching)}
              {got().matching === got().total ? '' : ` that match, of ${count(got().total)}`}
            </p>
          </>
        )}
      </Show>
    </div>
  )
}

function Row(props: { item: ListedItem; names: readonly string[]; choose: (names: string[]) => void }) {
  const how = () => isChosen(props.names, props.item)
  return (
    <li class="not-last:border-b border-line">
      <label class="flex min-h-9 items-center gap-3 px-3 py-1 hover:bg-raised">
        <input
          type="checkbox"
          class="size-4 shrink-0 accent-[var(--c-moss)]"
          checked={how() !== 'no'}
          disabled={how() === 'by name'}
          onChange={() => props.choose(toggleItem(props.names, props.item))}
        />
        <span class="min-w-0 [overflow-wrap:anywhere]">{props.item.key ?? `item ${props.item.item_id}`}</span>
        <span class="ml-auto text-right text-s text-muted">
          <Show when={props.item.group}>{(group) => <>{group()} · </>}</Show>
          <span class="text-faint">id {props.item.item_id}</span>
        </span>
      </label>
    </li>
  )
}

/** What is chosen, each name with a way to take it back. */
function Chosen(props: { names: readonly string[]; choose: (names: string[]) => void }) {
  const shown = () => props.names.slice(0, 30)
  return (
    <Show
      when={props.names.length > 0}
      fallback={<p class="text-s text-faint">Tick items to ask only these. Without a tick the share above is drawn of all.</p>}
    >
      <fieldset class="flex min-w-0 flex-wrap items-center gap-1.5">
        <legend class="sr-only">Chosen</legend>
        <For each={shown()}>
          {(name) => (
            <button
              type="button"
              class="chip chip-on max-w-full truncate"
              aria-label={`${name}, take away`}
              onClick={() => props.choose(props.names.filter((one) => one !== name))}
            >
              {name}
            </button>
          )}
        </For>
        <Show when={props.names.length > shown().length}>
          <span class="text-s text-muted">and {count(props.names.length - shown().length)} more</span>
        </Show>
        <button type="button" class="chip" onClick={() => props.choose([])}>
          Clear
        </button>
      </fieldset>
    </Show>
  )
}
