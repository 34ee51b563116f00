import { For } from 'solid-js'
import type { VerifiedBenchmark } from '#shared/export/verify-report.ts'
import { axisOf } from '../chart/axis.ts'
import { ScoreRow, ScoreTable } from '../chart/score-table.tsx'
import { count } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** What the bundle says: each benchmark with its interval, on one axis. */
export function ResultTable(props: { results: readonly VerifiedBenchmark[] }) {
  const axis = () => axisOf(props.results.map(({ score, low, high }) => ({ value: score, low, high })))
  return (
    <ScoreTable label="Results" caption="Results by benchmark, with 95 % limits" axis={axis()}>
      <For each={props.results}>
        {(one) => (
          <ScoreRow
            name={
              <span class="font-medium [overflow-wrap:anywhere]">
                {one.benchmark_name}
                <Show when={one.unfinished}>
                  <span class="block text-s font-normal text-muted">{count(one.unfinished)} never asked</span>
                </Show>
              </span>
            }
            estimate={{ value: one.score, low: one.low, high: one.high, n: one.n, trials: one.right + one.wrong }}
            meaning="95 % interval as the bundle has it, computed anew here"
            failed={one.failed}
            axis={axis()}
            strong
          />
        )}
      </For>
    </ScoreTable>
  )
}
