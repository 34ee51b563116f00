import { useSearchParams } from '@solidjs/router'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { BenchmarkResult, Estimate, Run } from '#shared/contract/api.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { type Axis, axisOf } from '../chart/axis.ts'
import { AxisLabels, Whisker } from '../chart/whisker.tsx'
import { itemsPath } from '../paths.ts'
import { count, percent } from '../ui/format.ts'
import { BenchmarkMark } from '../ui/mark.tsx'
import { BenchmarkNumbers } from './benchmark-numbers.tsx'
import type { GroupScore, Scores } from './live-scores.ts'

/** Every benchmark of a run, and its categories when opened, as whiskers on one axis in a real table: the plot is its own table twin. */
export function BenchmarkTable(props: { run: Run; head: RunHead; scores: Scores }) {
  const only = () => props.run.benchmarks.length === 1
  // Categories that are there from the start are shown; those that come with the first answers would push everything down.
  const [opened, setOpened] = createSignal<ReadonlySet<string>>(
    new Set(only() && props.run.benchmarks[0]!.groups.length > 0 ? [props.run.benchmarks[0]!.benchmark_name] : []),
  )
  const axis = createMemo(() =>
    axisOf(
      Object.entries(props.scores.benchmarks).flatMap(([name, { estimate, groups }]) => [
        estimate,
        ...(opened().has(name) ? groups.map((group) => group.estimate) : []),
      ]),
    ),
  )
  // Rows go by the groups' names, so that they stay the same elements while their numbers move.
  const namesOf = (benchmark: string) => props.scores.benchmarks[benchmark]!.groups.map((group) => group.name)
  const groupOf = (benchmark: string, name: string) => props.scores.benchmarks[benchmark]!.groups.find((group) => group.name === name)
  const [search] = useSearchParams()
  /** The row that the item list is narrowed to. */
  const isChosen = (benchmark: string, group?: string) =>
    (search.benchmark === benchmark || (group !== undefined && only() && search.benchmark === undefined)) && search.group === group
  const toggle = (name: string) => {
    const next = new Set(opened())
    if (!next.delete(name)) next.add(name)
    setOpened(next)
  }
  return (
    <section aria-label="Benchmarks" class="box @container">
      <table class="w-full table-fixed">
        <caption class="sr-only">Score with 95 % interval, and counts, by benchmark and category</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="w-[24%] py-2 pl-4 @max-2xl:w-[32%]">
              Benchmark
            </th>
            <th scope="col" class="w-[27%] px-4 py-2 @max-lg:px-2">
              <span class="sr-only">Interval</span>
              <AxisLabels axis={axis()} />
            </th>
            <th scope="col" class="py-2 text-right @max-2xl:w-[32%] @max-xl:w-[41%] @max-xl:pr-4">
              <abbr title="Both ends of the 95 % interval stand beside the score, in per cent" class="no-underline">
                Score (95 % limits)
              </abbr>
            </th>
            <th scope="col" class="w-[9%] py-2 text-right @max-2xl:pr-4 @max-xl:hidden">
              n
            </th>
            <th scope="col" class="w-[9%] py-2 text-right @max-2xl:hidden">
              Failed
            </th>
            <th scope="col" class="w-[14%] py-2 pr-4 text-right @max-2xl:hidden">
              State
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.run.benchmarks}>
            {(one) => (
              <>
                <BenchmarkRow
                  run={props.run}
                  head={props.head}
                  one={one}
                  score={props.scores.benchmarks[one.benchmark_name]!}
                  axis={axis()}
                  open={opened().has(one.benchmark_name)}
                  chosen={isChosen(one.benchmark_name)}
                  toggle={() => toggle(one.benchmark_name)}
                />
                <BenchmarkNumbers
                  warning={props.scores.benchmarks[one.benchmark_name]!.warning}
                  metrics={props.head.seq <= props.run.head.seq ? one.metrics : {}}
                  open={opened().has(one.benchmark_name)}
                />
                <Show when={opened().has(one.benchmark_name)}>
                  <For each={namesOf(one.benchmark_name)}>
                    {(name) => (
                      <GroupRow
                        axis={axis()}
                        group={groupOf(one.benchmark_name, name)}
                        href={itemsPath(props.run.id, { benchmark: one.benchmark_name, group: name })}
                        chosen={isChosen(one.benchmark_name, name)}
                      />
                    )}
                  </For>
                </Show>
              </>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}

function GroupRow(props: { axis: Axis; group: GroupScore | undefined; href: string; chosen: boolean }) {
  return (
    <Show when={props.group}>
      {(group) => (
        <Row
          axis={props.axis}
          estimate={group().estimate}
          failed={group().failed}
          chosen={props.chosen}
          name={
            <a
              href={props.href}
              aria-current={props.chosen ? 'true' : undefined}
              class={`block truncate pl-6 hover:text-ink ${props.chosen ? 'font-medium text-ink' : 'text-muted'}`}
            >
              {group().name}
            </a>
          }
        />
      )}
    </Show>
  )
}

function BenchmarkRow(props: {
  run: Run
  head: RunHead
  one: BenchmarkResult
  score: Scores['benchmarks'][string]
  axis: Axis
  open: boolean
  chosen: boolean
  toggle: () => void
}) {
  const tally = () => props.head.benchmarks[props.one.benchmark_name]!
  const done = () => tally().right + tally().wrong + tally().failed
  return (
    <Row
      axis={props.axis}
      estimate={props.score.estimate}
      failed={tally().failed}
      chosen={props.chosen}
      strong
      name={
        <span class="flex min-w-0 items-center gap-1 py-1">
          <Show when={props.score.groups.length || Object.keys(props.one.metrics).length} fallback={<span class="w-4.5 shrink-0" />}>
            <button
              type="button"
              class="-ml-1 rounded p-1 text-faint hover:text-ink"
              aria-expanded={props.open}
              aria-label={`Metrics and categories of ${props.one.display_name}`}
              onClick={props.toggle}
            >
              <ChevronRight size={14} aria-hidden="true" class={props.open ? 'rotate-90' : ''} />
            </button>
          </Show>
          <span class="flex min-w-0 items-center gap-x-1.5 @max-lg:flex-col @max-lg:items-start">
            <a
              href={itemsPath(props.run.id, { benchmark: props.one.benchmark_name })}
              aria-current={props.chosen ? 'true' : undefined}
              class="max-w-full truncate font-medium hover:underline"
            >
              {props.one.display_name}
            </a>
            <Show when={props.one.data.source === 'sample'}>
              <span class="rounded-[4px] bg-papaya-soft px-1 text-[0.6875rem] font-semibold text-papaya">sample</span>
            </Show>
          </span>
        </span>
      }
      state={
        <Show when={tally().status === 'running'} fallback={<BenchmarkMark status={tally().status} />}>
          <span class="text-s text-muted">
            {count(done())} / {count(tally().total)}
          </span>
        </Show>
      }
    />
  )
}

function Row(props: {
  name: JSX.Element
  estimate: Estimate
  failed: number
  axis: Axis
  chosen: boolean
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
            <span
              class="inline-block w-24 text-right text-muted @max-lg:block @max-lg:w-auto @max-lg:text-s"
              title={[meaningOf(props.estimate), props.estimate.method].filter(Boolean).join(' ')}
            >
              {limits()}
            </span>
          )}
        </Show>
      </td>
      <td class="text-right text-muted @max-2xl:pr-4 @max-xl:hidden" title={countText(props.estimate)}>
        {count(props.estimate.n)}
      </td>
      <td class={`text-right @max-2xl:hidden ${props.failed ? 'text-papaya' : 'text-faint'}`}>{count(props.failed)}</td>
      <td class="pr-4 text-right @max-2xl:hidden">{props.state}</td>
    </tr>
  )
}
