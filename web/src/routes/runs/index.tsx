import { A, createAsync, revalidate, useSearchParams } from '@solidjs/router'
import { createMemo, createSignal, onCleanup, onMount } from 'solid-js'
import { isTerminal } from '#shared/contract/run.ts'
import { getBenchmarks, getRuns } from '../../queries.ts'
import { isNarrowed, type RunFilter, readRunFilter, runQuery, sorts } from '../../run/run-filter.ts'
import { RunsFilters } from '../../run/runs-filters.tsx'
import { RunsTable } from '../../run/runs-table.tsx'
import { SelectedRuns } from '../../run/selected-runs.tsx'
import { count } from '../../ui/format.ts'
import { createKept } from '../../ui/kept.ts'
import { KeptProblem } from '../../ui/kept-problem.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Show } from '../../ui/show.tsx'
import { RowsSkeleton } from '../../ui/skeleton.tsx'

const pageSize = 50
const refreshMs = 10_000

/** All runs one may see, narrowed, sorted and paged by the address. */
export default function Runs() {
  const [search, setSearch] = useSearchParams()
  const filter = createMemo(() => readRunFilter(search))
  const answer = createAsync(() => getRuns({ ...runQuery(filter()), limit: pageSize }))
  const benchmarks = createAsync(() => getBenchmarks(undefined))
  const [selected, setSelected] = createSignal<ReadonlySet<string>>(new Set())
  const kept = createKept(() => JSON.stringify(filter()), answer)
  const list = () => kept().value
  const problem = () => kept().problem
  const set = (change: Partial<RunFilter>) =>
    setSearch({ model: undefined, ...runQuery({ ...filter(), offset: 0, ...change }) }, { replace: true, scroll: false })
  const select = (id: string, on: boolean) => {
    const next = new Set(selected())
    if (on) next.add(id)
    else next.delete(id)
    setSelected(next)
  }
  onMount(() => {
    const timer = setInterval(() => {
      const moves = problem() || list()?.runs.some((run) => !isTerminal(run.head.status))
      if (!document.hidden && moves) void revalidate(getRuns.key)
    }, refreshMs)
    onCleanup(() => clearInterval(timer))
  })
  return (
    <Page
      title="Runs"
      lead={<Show when={list()}>{(got) => <>{count(got().total)}</>}</Show>}
      actions={
        <>
          <A href="/import" class="btn">
            Import a Harbor job
          </A>
          <A href="/" class="btn btn-main">
            Start a run
          </A>
        </>
      }
    >
      <RunsFilters filter={filter()} benchmarks={benchmarksOf(benchmarks())} set={set} />
      <KeptProblem kept={kept()} />
      <Show when={!list() && !problem()}>
        <RowsSkeleton rows={8} />
      </Show>
      <Show
        when={list()?.runs.length}
        fallback={<Show when={list()}>{(got) => <Empty filter={filter()} total={got().total} set={set} />}</Show>}
      >
        <RunsTable
          runs={list()!.runs}
          benchmark={filter().benchmark}
          order={sorts[filter().sort]}
          selected={selected()}
          select={select}
          tag={(tag) => set({ tag })}
        />
      </Show>
      <Show when={selected().size > 0}>
        <SelectedRuns
          runs={list()?.runs ?? []}
          ids={selected()}
          only={() => set({ ...readRunFilter({}), ids: [...selected()] })}
          clear={() => setSelected(new Set<string>())}
          changed={() => void revalidate(getRuns.key)}
        />
      </Show>
      <Pager size={pageSize} offset={filter().offset} total={list()?.total ?? 0} set={(offset) => set({ offset })} />
    </Page>
  )
}

function benchmarksOf(got: Awaited<ReturnType<typeof getBenchmarks>> | undefined) {
  return got?.ok ? got.value.benchmarks : []
}

function Empty(props: { filter: RunFilter; total: number; set: (change: Partial<RunFilter>) => void }) {
  const beyond = () => props.total > 0
  return (
    <div class="box flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p class="text-muted">
        {beyond()
          ? `No runs on this page; there ${props.total === 1 ? 'is 1' : `are ${count(props.total)}`}.`
          : isNarrowed(props.filter)
            ? 'No run fits this filter.'
            : 'No run yet. Choose a model and benchmarks; a sample run takes seconds.'}
      </p>
      <Show
        when={beyond() || isNarrowed(props.filter)}
        fallback={
          <A href="/" class="btn btn-main">
            Start a run
          </A>
        }
      >
        <button type="button" class="btn" onClick={() => props.set(beyond() ? { offset: 0 } : readRunFilter({}))}>
          {beyond() ? 'Go to the first page' : 'Show all runs'}
        </button>
      </Show>
    </div>
  )
}
