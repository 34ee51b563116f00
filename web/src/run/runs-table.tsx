import { A } from '@solidjs/router'
import { createMemo, For } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { forecastText, shortForecast } from '#shared/run/forecast-text.ts'
import { costText } from '#shared/run/spent-text.ts'
import { type Axis, axisOf } from '../chart/axis.ts'
import { AxisLabels, Whisker } from '../chart/whisker.tsx'
import { runPath } from '../paths.ts'
import { age, count, moment, percent, usd } from '../ui/format.ts'
import { Labels } from '../ui/label.tsx'
import { RunMark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { Show } from '../ui/show.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { describeRun, meanOf, oneSet, shownEstimate } from './run-sets.ts'
import { sumTallies } from './tally.ts'

type Props = {
  runs: Run[]
  /** The benchmark the list is narrowed to: its scores are shown. */
  benchmark: string | undefined
  order: string
  selected: ReadonlySet<string>
  select: (id: string, on: boolean) => void
  tag: (tag: string) => void
}

/** Runs as rows, each one a link; their scores on one axis where they are about the same set. */
export function RunsTable(props: Props) {
  const now = useNow(30_000)
  const alike = createMemo(() => oneSet(props.runs, props.benchmark))
  const axis = createMemo(() => axisOf(props.runs.map((run) => shownEstimate(run, props.benchmark))))
  return (
    <div class="box @container overflow-hidden">
      <table class="w-full table-fixed">
        <caption class="sr-only">Runs, {props.order}</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="w-10 py-2 pl-4">
              <span class="sr-only">Selected</span>
            </th>
            <th scope="col" class="w-28 py-2 @max-2xl:w-8">
              <span class="@max-2xl:sr-only">State</span>
            </th>
            <th scope="col" class="py-2">
              Run
            </th>
            <Show when={alike()}>
              <th scope="col" class="w-[20%] px-4 py-2 @max-4xl:hidden">
                <span class="sr-only">Interval</span>
                <AxisLabels axis={axis()} />
              </th>
            </Show>
            <th scope="col" class="w-40 py-2 text-right @max-2xl:w-32 @max-2xl:pr-4">
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
          <For each={props.runs}>{(run) => <RunRow {...props} run={run} axis={alike() ? axis() : undefined} now={now()} />}</For>
        </tbody>
      </table>
    </div>
  )
}

function RunRow(props: Props & { run: Run; axis: Axis | undefined; now: number }) {
  const head = () => props.run.head
  const estimate = () => shownEstimate(props.run, props.benchmark)
  const title = () => props.run.name ?? props.run.model_slug
  return (
    <tr class="relative h-14 not-last:border-b border-line hover:bg-raised">
      <td class="pl-4">
        <input
          type="checkbox"
          class="relative z-10 size-4 accent-[var(--c-moss)]"
          aria-label={`Select ${title()}`}
          checked={props.selected.has(props.run.id)}
          onChange={(event) => props.select(props.run.id, event.currentTarget.checked)}
        />
      </td>
      <td>
        <span class="@max-2xl:hidden">
          <RunMark status={head().status} parked={head().parked !== null} />
        </span>
        <span class="hidden @max-2xl:block">
          <RunMark status={head().status} parked={head().parked !== null} bare />
        </span>
      </td>
      <th scope="row" class="overflow-hidden py-2 pr-2 font-normal">
        <span class="flex flex-wrap items-center gap-x-2 gap-y-1">
          <A href={runPath(props.run.id)} class="stretch max-w-full truncate font-medium" title={title()}>
            {title()}
          </A>
          <span class="flex flex-wrap gap-1 empty:hidden">
            <Labels names={props.run.labels} quiet />
            <Show when={props.run.team}>{(team) => <span class="chip h-5 px-1.5 text-[0.6875rem]">{team().name}</span>}</Show>
            <For each={props.run.tags}>
              {(tag) => (
                <button type="button" class="chip relative z-10 h-5 px-1.5 text-[0.6875rem] hover:text-ink" onClick={() => props.tag(tag)}>
                  {tag}
                </button>
              )}
            </For>
          </span>
        </span>
        <span class="block truncate text-s text-muted" title={describeRun(props.run)}>
          <Show when={props.run.name}>
            <span class="mr-1.5 text-ink">{props.run.model_slug}</span>
          </Show>
          {props.run.benchmarks.map((one) => one.display_name).join(', ')}
          <span class="text-faint"> · {describeRun(props.run)}</span>
          <Show when={head().parked}>{(parked) => <span class="ml-2 text-papaya">{parked().reason}</span>}</Show>
          <span class="hidden text-faint @max-2xl:block">{age(props.run.created_at, props.now)}</span>
        </span>
      </th>
      <Show when={props.axis}>
        {(axis) => (
          <td class="px-4 @max-4xl:hidden">
            <Whisker estimate={estimate()} axis={axis()} />
          </td>
        )}
      </Show>
      <td class="py-1.5 text-right whitespace-nowrap @max-2xl:pr-4">
        <span class="font-semibold">{percent(estimate().value)}</span>
        <Show when={limitsText(estimate())}>
          {(limits) => (
            <span class="block text-s text-muted" title={meaningOf(estimate())}>
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
        <Show when={!isTerminal(head().status) && estimate().value !== null}>
          <span class="block text-s text-faint @max-2xl:hidden">so far</span>
        </Show>
        <span class="block text-s text-faint empty:hidden">{estimate().value !== null && countText(estimate())}</span>
        <span class="block text-s whitespace-normal text-faint empty:hidden">{meanOf(props.run, props.benchmark)}</span>
      </td>
      <td class="pl-6 @max-2xl:hidden">
        <span class="text-s text-muted">
          {head().done === head().total ? count(head().total) : `${count(head().done)} of ${count(head().total)}`}
        </span>
        <ProgressBar tally={sumTallies(Object.values(head().benchmarks))} total={head().total} class="mt-1" />
        <Show when={props.run.forecast}>
          {(forecast) => (
            <span class="mt-0.5 block truncate text-s text-faint" title={forecastText(forecast(), props.now)}>
              {shortForecast(forecast(), props.now)}
            </span>
          )}
        </Show>
      </td>
      <td class="text-right text-muted @max-5xl:hidden">{costText(head(), usd, '–')}</td>
      <td class="pr-4 text-right text-muted @max-2xl:hidden" title={moment(props.run.created_at)}>
        {age(props.run.created_at, props.now)}
      </td>
    </tr>
  )
}
