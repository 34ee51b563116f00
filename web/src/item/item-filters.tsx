import { useSearchParams } from '@solidjs/router'
import { createMemo, For } from 'solid-js'
import type { ItemQuery, Run } from '#shared/contract/api.ts'
import type { ItemCounts } from '#shared/contract/item-rows.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { outcomes } from '#shared/contract/trial.ts'
import X from '~icons/lucide/x'
import { byFrequency } from '../run/tally.ts'
import { Chip, Choice, SearchField } from '../ui/filter-fields.tsx'
import { lengthText } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { flagMeaning, flagName, remarkable } from './flag-meaning.ts'
import { filterCount, type ItemFilter, strangeFilters } from './item-filter.ts'
import { chipText, type ListLength } from './list-length.ts'

const orders = [
  ['finished', 'newest first'],
  ['plan', 'in plan order'],
  ['latency', 'slowest first'],
  ['cost', 'dearest first'],
  ['tokens', 'longest first'],
  ['score', 'lowest score first'],
] as const satisfies readonly (readonly [ItemQuery['order'], string])[]

type Props = {
  run: Run
  head: RunHead
  filter: ItemFilter
  /** Of the list as it is shown; undefined while it loads. */
  length: ListLength | undefined
}

/** Chips, choices and search over the items. Every change goes into the address and nowhere else; a chip counts what it would show. */
export function ItemFilters(props: Props) {
  const [search, setSearch] = useSearchParams()
  const set = (change: Record<string, string | undefined>) => setSearch({ ...change }, { replace: true, scroll: false })
  // A run of one benchmark is filtered to it without saying so.
  const only = () => props.filter.benchmark ?? (props.head.order.length === 1 ? props.head.order[0] : undefined)
  const counts = () => props.length?.counts
  const number = (of: (counts: ItemCounts) => number | undefined, on: boolean) =>
    props.length ? chipText(props.length, of(props.length.counts) ?? 0, on) : ''
  const chosenFlags = () => props.filter.flag?.split(',') ?? []
  const flags = createMemo(() => {
    const others = byFrequency(counts()?.flags ?? {}).filter(([one]) => remarkable(one) && !chosenFlags().includes(one))
    return [...chosenFlags(), ...others.map(([one]) => one).slice(0, Math.max(0, 4 - chosenFlags().length))]
  })
  // A listed item has all chosen remarks.
  const setFlag = (flag: string, on: boolean) =>
    set({ flag: (on ? [...chosenFlags(), flag] : chosenFlags().filter((one) => one !== flag)).join(',') || undefined })
  const groups = () => Object.keys(props.head.groups[only() ?? ''] ?? {}).sort()
  const epochs = () => Math.max(...props.run.benchmarks.map((one) => one.epochs))
  return (
    <fieldset class="mb-2 flex min-w-0 flex-wrap items-center gap-2" aria-label="Which items">
      <h2 class="mr-1 font-semibold">
        Items <span class="font-normal text-muted">{props.length ? lengthText(props.length) : ''}</span>
      </h2>
      <Show when={strangeFilters(search).join(' and ')}>
        {(strange) => (
          <button
            type="button"
            class="chip border-papaya-fill text-papaya"
            title="Take it out of the address"
            onClick={() =>
              set({
                outcome: props.filter.outcome,
                order: search.order === props.filter.order ? props.filter.order : undefined,
                in_epoch: props.filter.epoch?.toString(),
              })
            }
          >
            {strange()} is unknown and left out <X size={12} aria-hidden="true" />
          </button>
        )}
      </Show>
      <For each={outcomes}>
        {(outcome) => (
          <Chip on={props.filter.outcome === outcome} set={(on) => set({ outcome: on ? outcome : undefined })}>
            <OutcomeMark outcome={outcome} none={counts()?.outcomes[outcome] === 0} />{' '}
            {number((all) => all.outcomes[outcome], props.filter.outcome === outcome)}
          </Chip>
        )}
      </For>
      <For each={flags()}>
        {(flag) => (
          <Chip on={chosenFlags().includes(flag)} set={(on) => setFlag(flag, on)}>
            <span title={flagMeaning(flag)}>{flagName(flag)}</span> {number((all) => all.flags[flag], chosenFlags().includes(flag))}
          </Chip>
        )}
      </For>
      <Show when={props.filter.failure}>
        {(failure) => (
          <Chip on set={() => set({ failure: undefined })}>
            <code>{failure()}</code> {number((all) => all.failures[failure()], true)}
          </Chip>
        )}
      </Show>
      <Show when={filterCount(props.filter)}>
        <button
          type="button"
          class="chip border-dashed hover:text-ink"
          onClick={() =>
            set({
              benchmark: undefined,
              outcome: undefined,
              group: undefined,
              flag: undefined,
              failure: undefined,
              in_epoch: undefined,
              q: undefined,
            })
          }
        >
          <X size={13} aria-hidden="true" /> clear
        </button>
      </Show>
      <div class="ml-auto flex flex-wrap items-center gap-2 @max-xl:ml-0">
        <Show when={props.run.benchmarks.length > 1}>
          <Choice
            label="Benchmark"
            value={props.filter.benchmark}
            options={props.run.benchmarks.map((one) => [one.benchmark_name, one.display_name])}
            all="all benchmarks"
            set={(benchmark) => set({ benchmark, group: undefined })}
          />
        </Show>
        <Show when={groups().length}>
          <Choice
            label="Category"
            value={props.filter.group}
            options={groups().map((name) => [name, name])}
            all="all categories"
            set={(group) => set({ group })}
          />
        </Show>
        <Show when={epochs() > 1}>
          <Choice
            label="Epoch"
            value={props.filter.epoch?.toString()}
            options={Array.from({ length: epochs() }, (_, i) => [String(i), `epoch ${i + 1}`])}
            all="all epochs"
            set={(in_epoch) => set({ in_epoch })}
          />
        </Show>
        <Choice label="Order" value={props.filter.order} options={orders} set={(order) => set({ order })} />
        <SearchField label="Search items" placeholder="Search items" class="w-44" value={props.filter.q} set={(q) => set({ q })} />
      </div>
    </fieldset>
  )
}
