import type { JSX } from 'solid-js'
import type { Estimate } from '#shared/contract/api.ts'
import { countText, limitsText } from '#shared/metrics/score-text.ts'
import { count, percent } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import type { Axis } from './axis.ts'
import { AxisLabels, Whisker } from './whisker.tsx'

/** Scores as whiskers on one axis in a real table, each with both limits and n: the plot is its own table twin. Rows are `ScoreRow`; `rows` says what they are of where not of benchmarks. */
export function ScoreTable(props: { label: string; caption: string; axis: Axis; rows?: string; states?: boolean; children: JSX.Element }) {
  return (
    <section aria-label={props.label} class="box @container overflow-hidden">
      <table class="w-full table-fixed">
        <caption class="sr-only">{props.caption}</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="w-[24%] py-2 pl-4 @max-2xl:w-[32%] @max-lg:w-[34%]">
              {props.rows ?? 'Benchmark'}
            </th>
            <th scope="col" class="w-[27%] px-4 py-2 @max-lg:w-[24%] @max-lg:px-2">
              <span class="sr-only">Interval</span>
              <AxisLabels axis={props.axis} sparse />
            </th>
            <th scope="col" class="py-2 text-right @max-2xl:w-[32%] @max-xl:w-[41%] @max-xl:pr-4 @max-lg:w-[42%]">
              <abbr title="Both ends of the 95 % interval stand beside the score, in per cent" class="no-underline">
                Score (95 % limits)
              </abbr>
            </th>
            <th scope="col" class={`w-[9%] py-2 text-right @max-2xl:pr-4 @max-xl:hidden ${props.states ? '' : 'w-[12%]'}`}>
              n
            </th>
            <th scope="col" class={`py-2 text-right @max-2xl:hidden ${props.states ? 'w-[9%]' : 'w-[12%] pr-4'}`}>
              Failed
            </th>
            <Show when={props.states}>
              <th scope="col" class="w-[14%] py-2 pr-4 text-right @max-2xl:hidden">
                State
              </th>
            </Show>
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  )
}

/** One score of a `ScoreTable`. `strong` where it is a benchmark's; a group's row is quieter. */
export function ScoreRow(props: {
  name: JSX.Element
  estimate: Pick<Estimate, 'value' | 'low' | 'high' | 'n' | 'trials'>
  /** What the limits say. */
  meaning: string
  failed: number
  axis: Axis
  chosen?: boolean
  strong?: boolean
  state?: JSX.Element
}) {
  return (
    <tr
      class={`not-last:border-b border-line ${props.strong ? 'h-10' : 'h-8'} ${props.chosen ? 'bg-moss-soft' : props.strong ? '' : 'bg-bg'}`}
    >
      <th scope="row" class="overflow-hidden pl-4 font-normal">
        {props.name}
      </th>
      <td class="px-4 @max-lg:px-2">
        <Whisker estimate={props.estimate} axis={props.axis} />
      </td>
      <td class="text-right whitespace-nowrap @max-xl:pr-4">
        <span class={props.strong ? 'font-semibold' : ''}>{percent(props.estimate.value)}</span>
        <Show when={limitsText(props.estimate)}>
          {(limits) => (
            <span class="inline-block w-24 text-right text-muted @max-xl:block @max-xl:w-auto @max-xl:text-s" title={props.meaning}>
              {limits()}
              {/* Where the column behind has no room. */}
              <span class="hidden text-faint @max-xl:inline"> n = {count(props.estimate.n)}</span>
            </span>
          )}
        </Show>
      </td>
      <td class="text-right text-muted @max-2xl:pr-4 @max-xl:hidden" title={countText(props.estimate)}>
        {count(props.estimate.n)}
      </td>
      <td class={`text-right @max-2xl:hidden ${props.failed ? 'text-papaya' : 'text-faint'} ${'state' in props ? '' : 'pr-4'}`}>
        {count(props.failed)}
      </td>
      <Show when={'state' in props}>
        <td class="pr-4 text-right @max-2xl:hidden">{props.state}</td>
      </Show>
    </tr>
  )
}
