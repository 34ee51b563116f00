import { A } from '@solidjs/router'
import { createMemo, For, Show } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { axisOf } from '../chart/axis.ts'
import { AxisLabels, Whisker } from '../chart/whisker.tsx'
import { runPath } from '../paths.ts'
import { age, count, moment, percent, usd } from '../ui/format.ts'
import { Labels } from '../ui/label.tsx'
import { RunMark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { ProgressBar } from './progress-bar.tsx'
import { sumTallies } from './tally.ts'

/** Runs as rows, each one a link, their scores on one axis. */
export function RunsTable(props: { runs: Run[] }) {
  const now = useNow(30_000)
  const axis = createMemo(() => axisOf(props.runs.map((run) => run.estimate)))
  return (
    <div class="box @container overflow-hidden">
      <table class="w-full table-fixed">
        <caption class="sr-only">Runs, newest first</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="w-32 py-2 pl-4 @max-2xl:w-10">
              <span class="@max-2xl:sr-only">State</span>
            </th>
            <th scope="col" class="py-2">
              Model and benchmarks
            </th>
            <th scope="col" class="w-[22%] px-4 py-2 @max-4xl:hidden">
              <span class="sr-only">Interval</span>
              <AxisLabels axis={axis()} />
            </th>
            <th scope="col" class="w-36 py-2 text-right @max-2xl:w-24 @max-2xl:pr-4">
              Score
            </th>
            <th scope="col" class="w-36 py-2 pl-6 @max-2xl:hidden">
              Trials
            </th>
            <th scope="col" class="w-20 py-2 text-right @max-5xl:hidden">
              Cost
            </th>
            <th scope="col" class="w-28 py-2 pr-4 text-right @max-2xl:hidden">
              Started
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.runs}>{(run) => <RunRow run={run} axis={axis()} now={now()} />}</For>
        </tbody>
      </table>
    </div>
  )
}

function RunRow(props: { run: Run; axis: ReturnType<typeof axisOf>; now: number }) {
  const head = () => props.run.head
  return (
    <tr class="relative h-14 not-last:border-b border-line hover:bg-raised">
      <td class="pl-4 @max-2xl:pl-3">
        <span class="@max-2xl:hidden">
          <RunMark status={head().status} parked={head().parked !== null} />
        </span>
        <span class="hidden @max-2xl:block">
          <RunMark status={head().status} parked={head().parked !== null} bare />
        </span>
      </td>
      <th scope="row" class="overflow-hidden py-2 pr-2 font-normal">
        <span class="flex flex-wrap items-center gap-x-2 gap-y-1">
          <A href={runPath(props.run.id)} class="stretch max-w-full truncate font-medium" title={props.run.model_slug}>
            {props.run.model_slug}
          </A>
          <span class="flex flex-wrap gap-1 empty:hidden">
            <Labels names={props.run.labels} quiet />
          </span>
        </span>
        <span class="block truncate text-s text-muted">
          {props.run.benchmarks.map((one) => one.display_name).join(', ')}
          <span class="text-faint">
            {props.run.subset_count
              ? ` · ${count(props.run.subset_count)} items`
              : props.run.subset_pct < 100
                ? ` · ${props.run.subset_pct} %`
                : ''}
          </span>
          <Show when={head().parked}>{(parked) => <span class="ml-2 text-papaya">{parked().reason}</span>}</Show>
          <span class="hidden text-faint @max-2xl:block">{age(props.run.created_at, props.now)}</span>
        </span>
      </th>
      <td class="px-4 @max-4xl:hidden">
        <Whisker estimate={props.run.estimate} axis={props.axis} />
      </td>
      <td class="text-right whitespace-nowrap @max-2xl:pr-4">
        <span class="font-semibold">{percent(props.run.estimate.value)}</span>
        <Show when={limitsText(props.run.estimate)}>
          {(limits) => (
            <span class="block text-s text-muted" title={meaningOf(props.run.estimate)}>
              {limits()}
            </span>
          )}
        </Show>
        <Show when={props.run.benchmarks.find((one) => one.warning)}>
          {(one) => (
            <span class="block text-s whitespace-normal text-papaya" title={`${one().display_name}: ${one().warning}`}>
              answers cut off
            </span>
          )}
        </Show>
        <Show when={!isTerminal(head().status) && props.run.estimate.value !== null}>
          <span class="block text-s text-faint @max-2xl:hidden">so far</span>
        </Show>
      </td>
      <td class="pl-6 @max-2xl:hidden">
        <span class="text-s text-muted">
          {head().done === head().total ? count(head().total) : `${count(head().done)} of ${count(head().total)}`}
        </span>
        <ProgressBar tally={sumTallies(Object.values(head().benchmarks))} total={head().total} class="mt-1" />
      </td>
      <td class="text-right text-muted @max-5xl:hidden">{head().cost_usd === null ? '–' : usd(head().cost_usd)}</td>
      <td class="pr-4 text-right text-muted @max-2xl:hidden" title={moment(props.run.created_at)}>
        {age(props.run.created_at, props.now)}
      </td>
    </tr>
  )
}
