import { A, createAsync, revalidate, useSearchParams } from '@solidjs/router'
import Search from 'lucide-solid/icons/search'
import { For, onCleanup, onMount, Show } from 'solid-js'
import { isTerminal, type RunStatus, runStatuses } from '#shared/contract/run.ts'
import { getRuns } from '../../queries.ts'
import { RunsTable } from '../../run/runs-table.tsx'
import { count } from '../../ui/format.ts'
import { RunMark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'

const pageSize = 50
const refreshMs = 10_000

/** All runs one may see, newest first, narrowed by state and model in the address. */
export default function Runs() {
  const [search, setSearch] = useSearchParams()
  const text = (key: string) => (typeof search[key] === 'string' ? (search[key] as string) : '')
  const status = () => runStatuses.find((one) => one === text('status'))
  const offset = () => Math.max(0, Math.floor(Number(text('offset')) || 0))
  const answer = createAsync(() => getRuns({ status: status(), model_slug: text('model') || undefined, limit: pageSize, offset: offset() }))
  const list = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  const problem = () => {
    const got = answer()
    return got && !got.ok ? got.problem : undefined
  }
  const set = (change: Record<string, string | undefined>) => setSearch({ offset: undefined, ...change }, { replace: true, scroll: false })
  let typing: ReturnType<typeof setTimeout> | undefined
  const type = (model: string) => {
    clearTimeout(typing)
    typing = setTimeout(() => set({ model: model.trim() || undefined }), 250)
  }
  onMount(() => {
    const timer = setInterval(() => {
      if (!document.hidden && list()?.runs.some((run) => !isTerminal(run.head.status))) void revalidate(getRuns.key)
    }, refreshMs)
    onCleanup(() => clearInterval(timer))
  })
  const filtered = () => !!(status() || text('model'))
  return (
    <Page
      title="Runs"
      lead={<Show when={list()}>{(got) => <>{count(got().total)}</>}</Show>}
      actions={
        <A href="/" class="btn btn-main">
          Start a run
        </A>
      }
    >
      <div class="mb-3 flex flex-wrap items-center gap-2">
        <StatusChips status={status()} set={(one) => set({ status: one })} />
        <label class="relative ml-auto max-sm:ml-0">
          <span class="sr-only">Search by model</span>
          <Search size={14} class="pointer-events-none absolute top-[9px] left-2.5 text-faint" aria-hidden="true" />
          <input
            type="search"
            data-search
            class="field w-56 pl-8"
            placeholder="Model"
            value={text('model')}
            onInput={(event) => type(event.currentTarget.value)}
          />
        </label>
      </div>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} page />}</Show>
      <Show
        when={list()?.runs.length}
        fallback={
          <Show when={list()}>
            {(got) => (
              <Show
                when={got().total > 0}
                fallback={<Empty filtered={filtered()} clear={() => set({ status: undefined, model: undefined })} />}
              >
                <BeyondLast total={got().total} first={() => set({})} />
              </Show>
            )}
          </Show>
        }
      >
        <RunsTable runs={list()!.runs} />
      </Show>
      <Show when={list()?.runs.length && list()!.total > pageSize}>
        <nav class="mt-3 flex items-center justify-between text-muted" aria-label="Pages">
          <button
            type="button"
            class="btn"
            disabled={offset() === 0}
            onClick={() => set({ offset: offset() > pageSize ? String(offset() - pageSize) : undefined })}
          >
            Newer
          </button>
          <span>
            {count(offset() + 1)} to {count(Math.min(offset() + pageSize, list()!.total))} of {count(list()!.total)}
          </span>
          <button
            type="button"
            class="btn"
            disabled={offset() + pageSize >= list()!.total}
            onClick={() => set({ offset: String(offset() + pageSize) })}
          >
            Older
          </button>
        </nav>
      </Show>
    </Page>
  )
}

function StatusChips(props: { status: RunStatus | undefined; set: (status: RunStatus | undefined) => void }) {
  return (
    <For each={runStatuses}>
      {(one) => (
        <button
          type="button"
          class={`chip hover:text-ink ${props.status === one ? 'chip-on' : ''}`}
          aria-pressed={props.status === one}
          onClick={() => props.set(props.status === one ? undefined : one)}
        >
          <RunMark status={one} />
        </button>
      )}
    </For>
  )
}

/** A page behind the last one, as an old or mistyped address asks for. */
function BeyondLast(props: { total: number; first: () => void }) {
  return (
    <div class="box flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p class="text-muted">{`No runs on this page; there ${props.total === 1 ? 'is 1' : `are ${count(props.total)}`}.`}</p>
      <button type="button" class="btn" onClick={() => props.first()}>
        Go to the first page
      </button>
    </div>
  )
}

function Empty(props: { filtered: boolean; clear: () => void }) {
  return (
    <div class="box flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p class="text-muted">
        {props.filtered ? 'No run fits this filter.' : 'No run yet. Choose a model and benchmarks; a sample run takes seconds.'}
      </p>
      <Show
        when={props.filtered}
        fallback={
          <A href="/" class="btn btn-main">
            Start a run
          </A>
        }
      >
        <button type="button" class="btn" onClick={() => props.clear()}>
          Show all runs
        </button>
      </Show>
    </div>
  )
}
