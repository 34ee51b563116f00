import { useSearchParams } from '@solidjs/router'
import { createMemo, createSignal, For } from 'solid-js'
import type { BenchmarkResult, Estimate, Run } from '#shared/contract/api.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { meaningOf } from '#shared/metrics/score-text.ts'
import ChevronRight from '~icons/lucide/chevron-right'
import { type Axis, axisOf } from '../chart/axis.ts'
import { ScoreRow, ScoreTable } from '../chart/score-table.tsx'
import { itemsPath } from '../paths.ts'
import { count } from '../ui/format.ts'
import { Labels } from '../ui/label.tsx'
import { BenchmarkMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { BenchmarkNumbers } from './benchmark-numbers.tsx'
import type { GroupScore, Scores } from './live-scores.ts'
import { scoreWarnings } from './score-warnings.ts'

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
  const warned = () => scoreWarnings(props.run.benchmarks, props.scores).inRows
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
    <ScoreTable label="Benchmarks" caption="Score with 95 % interval, and counts, by benchmark and category" axis={axis()} states>
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
              warning={warned() ? props.scores.benchmarks[one.benchmark_name]!.warning : null}
              metrics={props.head.seq <= props.run.head.seq ? one.estimates : {}}
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
    </ScoreTable>
  )
}

function GroupRow(props: { axis: Axis; group: GroupScore | undefined; href: string; chosen: boolean }) {
  return (
    <Show when={props.group}>
      {(group) => (
        <ScoreRow
          axis={props.axis}
          estimate={group().estimate}
          meaning={limitsMeaning(group().estimate)}
          state={undefined}
          failed={group().failed}
          chosen={props.chosen}
          name={
            <a
              href={props.href}
              aria-current={props.chosen ? 'true' : undefined}
              class={`block py-0.5 pl-6 [overflow-wrap:anywhere] hover:text-ink @max-lg:pl-2 @max-lg:text-s ${props.chosen ? 'font-medium text-ink' : 'text-muted'}`}
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
  // The page's own badge says it of a run that is nothing else.
  const isMixed = () => props.run.benchmarks.some((one) => one.data.source !== 'sample')
  const done = () => tally().right + tally().wrong + tally().failed
  return (
    <ScoreRow
      axis={props.axis}
      estimate={props.score.estimate}
      meaning={limitsMeaning(props.score.estimate)}
      failed={tally().failed}
      chosen={props.chosen}
      strong
      name={
        <span class="flex min-w-0 items-center gap-1 py-1">
          <Show when={props.score.groups.length || Object.keys(props.one.estimates).length} fallback={<span class="w-4.5 shrink-0" />}>
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
              class="font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {props.one.display_name}
            </a>
            <Show when={isMixed() && props.one.data.source === 'sample'}>
              <Labels names={['sample']} quiet />
            </Show>
            <Show when={props.run.benchmarks.length > 1 && props.one.chosen}>
              <Labels names={['chosen']} quiet />
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

const limitsMeaning = (estimate: Estimate): string => [meaningOf(estimate), estimate.method].filter(Boolean).join(' ')
