import { A } from '@solidjs/router'
import { createMemo, For } from 'solid-js'
import { runsText, setupText } from '#shared/board/board-text.ts'
import type { Estimate } from '#shared/contract/api.ts'
import type { Board, BoardRow } from '#shared/contract/board.ts'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { axisOf } from '../chart/axis.ts'
import { AxisLabels, Whisker } from '../chart/whisker.tsx'
import { runPath } from '../paths.ts'
import { count, duration, moment, percent, usd } from '../ui/format.ts'
import { Labels } from '../ui/label.tsx'
import { Show } from '../ui/show.tsx'

type Props = { board: Board; rows: readonly BoardRow[]; order: string; withdraw: (run_id: string) => void }

/** The ranked models of a board. Rows of one rank cannot be told apart; a line divides ranks. */
export function BoardTable(props: Props) {
  const axis = createMemo(() => axisOf(props.rows.map((row) => row.mean.estimate)))
  return (
    <div class="box @container overflow-hidden">
      <table class="w-full table-fixed">
        <caption class="sr-only">
          Models on {props.board.benchmark}, {props.order}
        </caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="w-14 py-2 pl-4" title="Rows of one rank cannot be told apart from the first of them">
              Rank
            </th>
            <th scope="col" class="py-2">
              Model
            </th>
            <th scope="col" class="w-[20%] px-4 py-2 @max-5xl:hidden">
              <span class="sr-only">Interval of the mean</span>
              <AxisLabels axis={axis()} />
            </th>
            <th scope="col" class="w-40 py-2 text-right @max-2xl:w-32 @max-2xl:pr-4">
              Mean
            </th>
            <th scope="col" class="w-40 py-2 text-right @max-2xl:hidden">
              Best run
            </th>
            <th scope="col" class="w-32 py-2 pr-4 text-right @max-2xl:hidden">
              It cost, took
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>
            {(row, at) => (
              <tr
                class={`align-top hover:bg-raised ${at() > 0 ? (props.rows[at() - 1]!.rank === row.rank ? 'border-t border-line' : 'border-t-2 border-line-strong') : ''}`}
              >
                <td class="py-3 pl-4 font-semibold">{row.rank}</td>
                <th scope="row" class="py-3 pr-2 font-normal">
                  <span class="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span class="max-w-full font-medium break-words">{row.model_slug}</span>
                    <Labels names={labelsOf(row, props.board)} quiet />
                  </span>
                  <span class="block text-s break-words text-muted">
                    {row.provider}
                    <span class="text-faint"> · {setupText(row)}</span>
                  </span>
                  <span class="block text-s text-faint">
                    {runsText(row)}
                    <Show when={row.failed > 0}>
                      <span class="text-papaya">
                        {' · '}
                        {count(row.failed)} of {count(row.total)} trials failed
                      </span>
                    </Show>
                  </span>
                  <span class="mt-1 hidden text-s text-muted @max-2xl:block">
                    <Best row={row} /> best, {percent(row.best.estimate.value)} <Limits estimate={row.best.estimate} />, {spent(row)}
                  </span>
                  <Show when={row.best.mine}>
                    <button type="button" class="chip mt-1 hover:text-ink" onClick={() => props.withdraw(row.best.run_id)}>
                      Withdraw my best run
                    </button>
                  </Show>
                </th>
                <td class="px-4 py-3 @max-5xl:hidden">
                  <Whisker estimate={row.mean.estimate} axis={axis()} />
                </td>
                <td class="py-3 text-right whitespace-nowrap @max-2xl:pr-4">
                  <Score estimate={row.mean.estimate} />
                </td>
                <td class="py-3 text-right whitespace-nowrap @max-2xl:hidden">
                  <Score estimate={row.best.estimate} />
                  <Best row={row} />
                </td>
                <td class="py-3 pr-4 text-right whitespace-nowrap text-muted @max-2xl:hidden">
                  {row.best.cost_usd === null ? 'price unknown' : usd(row.best.cost_usd)}
                  <span class="block text-s">{duration(row.best.duration_ms)}</span>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  )
}

function labelsOf(row: Pick<BoardRow, 'demo'>, { data }: Board) {
  return [...(row.demo ? (['demo'] as const) : []), ...(data.source === 'pinned' ? [] : [data.source])]
}

function spent({ best }: BoardRow): string {
  return `${best.cost_usd === null ? 'price unknown' : usd(best.cost_usd)}, ${duration(best.duration_ms)}`
}

function Limits(props: { estimate: Estimate }) {
  return <>{limitsText(props.estimate) && `(${limitsText(props.estimate)})  ${countText(props.estimate)}`}</>
}

function Best(props: { row: BoardRow }) {
  return (
    <>
      <A href={runPath(props.row.best.run_id)} class="text-s text-moss underline" title={`Ended ${moment(props.row.best.ended_at)}`}>
        run of {props.row.best.ended_at.slice(0, 10)}
      </A>
      <Show when={props.row.best.rescored}>
        <span class="ml-1 text-s text-faint @2xl:block" title="The score is that of a later rescoring by this service">
          rescored
        </span>
      </Show>
    </>
  )
}

function Score(props: { estimate: Estimate }) {
  return (
    <>
      <span class="font-semibold">{percent(props.estimate.value)}</span>
      <span class="block text-s text-muted" title={meaningOf(props.estimate)}>
        {limitsText(props.estimate)}
      </span>
      <span class="block text-s whitespace-normal text-faint">{countText(props.estimate)}</span>
    </>
  )
}
