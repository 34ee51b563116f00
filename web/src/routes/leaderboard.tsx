import { A, createAsync, revalidate, useSearchParams } from '@solidjs/router'
import { createMemo, createSignal } from 'solid-js'
import { boardCsv, boardMarkdown, boardText } from '#shared/board/board-text.ts'
import { type Board, boardSorts, type Leaderboard as LeaderboardAnswer, ListingState } from '#shared/contract/board.ts'
import { type ApiProblem, send } from '../api.ts'
import { BoardApart } from '../board/board-apart.tsx'
import { type BoardFilter, boardQuery, choicesOf, readBoardFilter, sortTitles, withChoice } from '../board/board-filter.ts'
import { getLeaderboard } from '../board/board-queries.ts'
import { BoardTable } from '../board/board-table.tsx'
import { getBenchmarks } from '../queries.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Choice } from '../ui/filter-fields.tsx'
import { count } from '../ui/format.ts'
import { createKept } from '../ui/kept.ts'
import { KeptProblem } from '../ui/kept-problem.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'

/** Models compared by their ended runs over a whole benchmark, one board at a time; which one stands in the address. */
export default function Leaderboard() {
  const [search, setSearch] = useSearchParams()
  const filter = createMemo(() => readBoardFilter(search))
  const answer = createAsync(() => getLeaderboard(boardQuery(filter())))
  const kept = createKept(() => JSON.stringify(filter()), answer)
  const [problem, setProblem] = createSignal<ApiProblem>()
  const set = (change: Partial<BoardFilter>) => setSearch(boardQuery(withChoice(filter(), change)), { replace: true, scroll: false })
  const list = async (run_id: string, listed: boolean) => {
    const done = await send(ListingState, `/api/runs/${run_id}/leaderboard`, { listed }, { method: 'PUT' })
    setProblem(done.ok ? undefined : done.problem)
    if (done.ok) void revalidate(getLeaderboard.key)
  }
  return (
    <Page
      title="Leaderboard"
      lead={
        <Show when={kept().value?.board}>
          {(board) => (
            <>
              {count(board().models)} {board().models === 1 ? 'model' : 'models'}, {count(board().ranked_runs)}{' '}
              {board().ranked_runs === 1 ? 'run' : 'runs'}
            </>
          )}
        </Show>
      }
      actions={<Copies answer={kept().value} />}
    >
      <Show when={kept().value}>{(got) => <Filters answer={got()} filter={filter()} set={set} />}</Show>
      <KeptProblem kept={kept()} />
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
      <Show when={!kept().value && !kept().problem}>
        <RowsSkeleton rows={8} />
      </Show>
      <Show when={kept().value}>
        {(got) => (
          <>
            <Show when={got().rows.length > 0 && got().board} fallback={<Empty answer={got()} filter={filter()} />}>
              {(board) => (
                <>
                  <BoardTable board={board()} rows={got().rows} order={sortTitles[got().sort]} withdraw={(id) => void list(id, false)} />
                  <Show when={got().total > got().rows.length}>
                    <p class="mt-2 text-s text-muted">
                      The first {count(got().rows.length)} of {count(got().total)} rows.
                    </p>
                  </Show>
                  <HowToRead />
                </>
              )}
            </Show>
            <BoardApart {...got()} restore={(id) => void list(id, true)} />
          </>
        )}
      </Show>
    </Page>
  )
}

function Copies(props: { answer: LeaderboardAnswer | undefined }) {
  return (
    <Show when={props.answer?.rows.length ? props.answer : undefined}>
      {(got) => (
        <>
          <CopyButton text={boardMarkdown(got())} label="Markdown" />
          <CopyButton text={boardCsv(got())} label="CSV" />
        </>
      )}
    </Show>
  )
}

function Filters(props: { answer: LeaderboardAnswer; filter: BoardFilter; set: (change: Partial<BoardFilter>) => void }) {
  const benchmarks = createAsync(() => getBenchmarks(undefined))
  const titleOf = (name: string) => {
    const got = benchmarks()
    return (got?.ok && got.value.benchmarks.find((one) => one.name === name)?.display_name) || name
  }
  const shown = () => props.answer.board
  const choices = createMemo(() => choicesOf(props.answer.boards, shown()))
  const revisions = () => choices().revisions.map((board): [string, string] => [board.id, boardText(board)])
  return (
    <Show when={props.answer.boards.length > 0}>
      <div class="mb-3 flex flex-wrap items-center gap-2">
        <Choice
          label="Benchmark"
          value={shown()?.benchmark ?? props.filter.benchmark}
          options={choices().benchmarks.map((name) => [name, titleOf(name)] as const)}
          {...(!shown() && { all: 'choose a benchmark' })}
          set={(benchmark) => props.set({ benchmark })}
        />
        <Show when={choices().profiles.length > 1}>
          <Choice
            label="Profile"
            value={shown()?.profile}
            options={choices().profiles.map((name) => [name, `profile ${name}`] as const)}
            set={(profile) => props.set({ benchmark: shown()?.benchmark, profile })}
          />
        </Show>
        <Show when={revisions().length > 1}>
          <Choice
            label="Revision"
            value={shown()?.id}
            options={revisions()}
            class="max-w-full sm:max-w-96"
            set={(board) => props.set({ benchmark: shown()?.benchmark, profile: shown()?.profile, board })}
          />
        </Show>
        <Choice
          label="Order"
          value={props.filter.sort}
          options={boardSorts.map((one) => [one, sortTitles[one]] as const)}
          class="sm:ml-auto"
          set={(sort) => sort && props.set({ sort })}
        />
        <Show when={shown()}>{(board) => <Identity board={board()} />}</Show>
      </div>
    </Show>
  )
}

function Identity(props: { board: Board }) {
  return (
    <p class="w-full text-s break-words text-muted">
      <A href={`/benchmarks/${props.board.benchmark}`} class="underline">
        {props.board.benchmark}
      </A>
      , {boardText(props.board)}
    </p>
  )
}

function HowToRead() {
  return (
    <details class="mt-3 max-w-[75ch] text-s text-muted">
      <summary class="cursor-pointer">How to read this</summary>
      <p class="mt-2">
        Ranked are runs that asked all items, as often as the profile says, with at most 1 % failed trials; failed trials count as no
        answer. Rows share a rank while the 95 % interval of their difference to the first of them holds zero: it is made of both rows'
        limits for the model's expected score by adding squares. Models answer the same items, so ties are rather too many than too few.
      </p>
      <p class="mt-2">
        The best of several runs is higher than the model is, the more so the more runs there are: it stands beside the mean and their
        number.
      </p>
    </details>
  )
}

function Empty(props: { answer: LeaderboardAnswer; filter: BoardFilter }) {
  const benchmark = () => props.answer.board?.benchmark ?? props.filter.benchmark
  return (
    <div class="box flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p class="max-w-[60ch] text-muted">
        {props.answer.boards.length > 0 && !props.answer.board
          ? 'There is no board of this benchmark and profile. Choose another, or start the first run of it.'
          : 'No run is ranked yet. A run comes here when it has ended and asked all items of a benchmark (a subset of 100 %).'}
      </p>
      <A href={benchmark() ? `/?benchmarks=${encodeURIComponent(benchmark()!)}` : '/'} class="btn btn-main">
        Start a run
      </A>
    </div>
  )
}
