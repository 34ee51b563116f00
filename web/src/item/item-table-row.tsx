import { A, type SearchParams } from '@solidjs/router'
import ArrowRight from 'lucide-solid/icons/arrow-right'
import { For, Show } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { itemPath } from '../paths.ts'
import { count, duration } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Flag } from './flag.tsx'
import { readItemFilter } from './item-filter.ts'
import type { ItemRow } from './item-row.ts'

const head = 'sticky top-0 z-10 h-8 border-b border-line bg-surface px-2 text-s font-medium text-faint'

export function ItemTableHead(props: { several: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col" class={`${head} w-24 pl-4`}>
          Result
        </th>
        <th scope="col" class={`${head} ${props.several ? 'w-48' : 'w-24'} @max-xl:w-auto`}>
          Item
        </th>
        <th scope="col" class={`${head} @max-3xl:hidden`}>
          Question
        </th>
        <th scope="col" class={`${head} w-[18%] @max-3xl:w-[34%]`}>
          Given, expected
        </th>
        <th scope="col" class={`${head} w-32 @max-5xl:hidden`}>
          Category
        </th>
        <th scope="col" class={`${head} w-28 @max-4xl:hidden`}>
          Flags
        </th>
        <th scope="col" class={`${head} w-20 text-right @max-xl:hidden`}>
          Latency
        </th>
        <th scope="col" class={`${head} w-20 pr-4 text-right @max-xl:hidden`}>
          Tokens
        </th>
      </tr>
    </thead>
  )
}

export function ItemTableRow(props: { run: Run; row: ItemRow; index: number; filter: SearchParams; current: string; epoch: unknown }) {
  const href = () => itemPath(props.run.id, props.row.benchmark, props.row.item_id, props.row.epoch, readItemFilter(props.filter))
  const isOpen = () => href().split('?')[0] === props.current && props.row.epoch === Number(props.epoch ?? 0)
  const displayName = () =>
    props.run.benchmarks.find((one) => one.benchmark_name === props.row.benchmark)?.display_name ?? props.row.benchmark
  const cell = 'border-b border-line px-2 overflow-hidden text-ellipsis whitespace-nowrap'
  return (
    <tr aria-rowindex={props.index + 2} class={`relative h-9 ${isOpen() ? 'bg-moss-soft' : 'hover:bg-raised'}`}>
      <td class={`${cell} pl-4`}>
        <OutcomeMark outcome={props.row.outcome} />
      </td>
      <th scope="row" class={`${cell} font-normal`}>
        <A href={href()} noScroll class="stretch" aria-current={isOpen() ? 'true' : undefined}>
          <Show when={props.run.benchmarks.length > 1} fallback={props.row.item_id}>
            <span class="text-muted">{displayName()}</span> {props.row.item_id}
          </Show>
          <Show when={props.row.epoch > 0}>
            <span class="text-s text-faint"> epoch {props.row.epoch + 1}</span>
          </Show>
        </A>
      </th>
      <td class={`${cell} text-muted @max-3xl:hidden`}>{props.row.snippet}</td>
      <td class={cell}>
        <Show when={props.row.outcome !== 'failed'} fallback={<code class="text-papaya">{props.row.failure}</code>}>
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
        <For each={props.row.flags.filter((flag) => flag !== 'level_1')}>{(flag) => <Flag name={flag} />}</For>
      </td>
      <td class={`${cell} text-right text-muted @max-xl:hidden`}>{duration(props.row.latency_ms)}</td>
      <td class={`${cell} pr-4 text-right text-muted @max-xl:hidden`}>{count(props.row.output_tokens)}</td>
    </tr>
  )
}
