import { For } from 'solid-js'
import type { VerifiedBenchmark } from '#shared/export/verify-report.ts'
import { limitsText } from '#shared/metrics/score-text.ts'
import { axisOf } from '../chart/axis.ts'
import { Whisker } from '../chart/whisker.tsx'
import { count, percent } from '../ui/format.ts'

/** What the bundle says: each benchmark with its interval, on one axis. */
export function ResultTable(props: { results: readonly VerifiedBenchmark[] }) {
  const axis = () => axisOf(props.results.map(({ score, low, high }) => ({ value: score, low, high })))
  return (
    <section class="box @container overflow-hidden" aria-label="Results">
      <table class="w-full table-fixed">
        <caption class="sr-only">Results by benchmark, with 95 % limits</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="py-2 pl-4">
              Benchmark
            </th>
            <th scope="col" class="w-[30%] px-4 py-2 @max-lg:hidden">
              <span class="sr-only">Interval</span>
            </th>
            <th scope="col" class="w-40 py-2 text-right @max-lg:w-32">
              Score (95 % limits)
            </th>
            <th scope="col" class="w-20 py-2 text-right @max-sm:w-14">
              n
            </th>
            <th scope="col" class="w-24 py-2 pr-4 text-right @max-lg:hidden">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.results}>
            {(one) => (
              <tr class="not-last:border-b border-line">
                <th scope="row" class="py-2.5 pl-4 font-medium [overflow-wrap:anywhere]">
                  {one.benchmark_name}
                </th>
                <td class="px-4 @max-lg:hidden">
                  <Whisker estimate={{ value: one.score, low: one.low, high: one.high }} axis={axis()} />
                </td>
                <td class="py-2.5 text-right">
                  <span class="font-semibold">{percent(one.score)}</span>
                  <span class="block text-s text-muted">{limitsText(one)}</span>
                </td>
                <td class="py-2.5 text-right text-muted">{count(one.n)}</td>
                <td class={`py-2.5 pr-4 text-right @max-lg:hidden ${one.failed + one.unfinished > 0 ? '' : 'text-faint'}`}>
                  {count(one.failed + one.unfinished)}
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
