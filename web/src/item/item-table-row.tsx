import { For } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import type { ItemRow } from '#shared/contract/item-rows.ts'
import ArrowRight from '~icons/lucide/arrow-right'
import { itemPath } from '../paths.ts'
import { count, duration, usd } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { Flag } from './flag.tsx'
import { remarkable } from './flag-meaning.ts'
import type { ItemFilter } from './item-filter.ts'
import { itemTitle, nameOf } from './item-row.ts'

const head = 'sticky top-0 z-10 h-8 border-b border-line bg-surface px-2 text-s font-medium text-faint'
const line = 'h-9 @max-3xl:h-14'

/** `priced` adds the column of costs. */
export function ItemTableHead(props: { several: boolean; priced: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col" class={`${head} w-24 pl-4 @max-3xl:w-11`}>
          <span class="@max-3xl:sr-only">Result</span>
        </th>
        <th scope="col" class={`${head} ${props.several ? 'w-52' : 'w-32'} @max-3xl:w-auto`}>
          Item<span class="hidden @max-3xl:inline"> and question</span>
        </th>
        <th scope="col" class={`${head} @max-3xl:hidden`}>
          Question
        </th>
        <th scope="col" class={`${head} w-[18%] @max-3xl:w-[28%]`}>
          Given<span class="@max-3xl:sr-only">, expected</span>
        </th>
        <th scope="col" class={`${head} w-32 @max-5xl:hidden`}>
          Category
        </th>
        <th scope="col" class={`${head} w-32 @max-4xl:hidden`}>
          Remarks
        </th>
        <th scope="col" class={`${head} w-20 text-right @max-3xl:hidden`}>
          Latency
        </th>
        <th scope="col" class={`${head} ${props.priced ? 'w-18' : 'w-20 pr-4'} text-right @max-3xl:hidden`}>
          Tokens
        </th>
        <Show when={props.priced}>
          <th scope="col" class={`${head} w-24 pr-4 text-right @max-3xl:hidden`}>
            Cost
          </th>
        </Show>
      </tr>
    </thead>
  )
}

/** A line that is on its way; it has the columns of one that is there, which a cell over several would squeeze. */
export function WaitingRow(props: { index: number; priced: boolean }) {
  const bar = (width: string) => <span class={`skeleton block h-3 ${width}`} />
  return (
    <tr class={line} aria-rowindex={props.index + 2}>
      <td class="border-b border-line pl-4">{bar('w-10 @max-3xl:w-4')}</td>
      <td class="border-b border-line px-2">{bar('w-12')}</td>
      <td class="border-b border-line px-2 @max-3xl:hidden">{bar('w-4/5')}</td>
      <td class="border-b border-line px-2">{bar('w-16 @max-3xl:w-8')}</td>
      <td class="border-b border-line @max-5xl:hidden" />
      <td class="border-b border-line @max-4xl:hidden" />
      <td class="border-b border-line @max-3xl:hidden" />
      <td class="border-b border-line @max-3xl:hidden" />
      <Show when={props.priced}>
        <td class="border-b border-line @max-3xl:hidden" />
      </Show>
    </tr>
  )
}

export function ItemTableRow(props: { run: Run; row: ItemRow; index: number; filter: ItemFilter; open: boolean; priced: boolean }) {
  const href = () => itemPath(props.run.id, props.row.benchmark, props.row.item_id, props.row.epoch, props.filter)
  const displayName = () =>
    props.run.benchmarks.find((one) => one.benchmark_name === props.row.benchmark)?.display_name ?? props.row.benchmark
  const cell = 'border-b border-line px-2 overflow-hidden text-ellipsis whitespace-nowrap'
  return (
    <tr aria-rowindex={props.index + 2} class={`relative ${line} ${props.open ? 'bg-moss-soft' : 'hover:bg-raised'}`}>
      <td class={`${cell} pl-4`}>
        <span class="@max-3xl:hidden">
          <OutcomeMark outcome={props.row.outcome} />
        </span>
        <span class="hidden @max-3xl:inline">
          <OutcomeMark outcome={props.row.outcome} bare />
        </span>
      </td>
      <th scope="row" class={`${cell} font-normal`}>
        {/* A plain link, which the router follows as well: its own would call every epoch of the open item the current page. */}
        <a
          href={href()}
          title={`Item ${props.row.item_id}`}
          noScroll
          class="stretch"
          data-item={nameOf(props.row)}
          aria-current={props.open ? 'true' : undefined}
        >
          <Show when={props.run.benchmarks.length > 1} fallback={itemTitle(props.row)}>
            <span class="text-muted">{displayName()}</span> {itemTitle(props.row)}
          </Show>
          <Show when={props.row.epoch > 0}>
            <span class="text-s text-faint"> epoch {props.row.epoch + 1}</span>
          </Show>
        </a>
        <span class="hidden truncate text-s text-muted @max-3xl:block">{props.row.snippet}</span>
      </th>
      <td class={`${cell} text-muted @max-3xl:hidden`}>{props.row.snippet}</td>
      <td class={cell}>
        <Show
          when={props.row.outcome !== 'failed'}
          fallback={
            <code class="text-papaya @max-3xl:line-clamp-3 @max-3xl:leading-4 @max-3xl:whitespace-normal">
              {props.row.failure?.replace('/', '/\u200b')}
            </code>
          }
        >
          <span class={props.row.outcome === 'wrong' ? 'underline decoration-faint decoration-dotted underline-offset-4' : ''}>
            {props.row.answer ?? 'no answer'}
          </span>
          <Show when={props.row.outcome === 'wrong' && props.row.expected !== null}>
            <ArrowRight size={13} class="mx-1 inline text-faint" aria-label="expected" />
            {props.row.expected}
          </Show>
        </Show>
      </td>
      <td class={`${cell} text-muted @max-5xl:hidden`}>{props.row.group}</td>
      <td class={`${cell} @max-4xl:hidden`}>
        <For each={props.row.flags.filter(remarkable)}>{(flag) => <Flag name={flag} />}</For>
      </td>
      <td class={`${cell} text-right text-muted @max-3xl:hidden`}>{duration(props.row.latency_ms)}</td>
      <td class={`${cell} ${props.priced ? '' : 'pr-4'} text-right text-muted @max-3xl:hidden`}>{count(props.row.output_tokens)}</td>
      <Show when={props.priced}>
        <td class={`${cell} pr-4 text-right text-muted @max-3xl:hidden`}>{props.row.cost_usd === null ? '–' : usd(props.row.cost_usd)}</td>
      </Show>
    </tr>
  )
}
