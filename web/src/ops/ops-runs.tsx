import { A } from '@solidjs/router'
import { For } from 'solid-js'
import type { OpsRun } from '#shared/contract/ops.ts'
import { forecastText, shortForecast } from '#shared/run/forecast-text.ts'
import { runPath } from '../paths.ts'
import { age, count } from '../ui/format.ts'
import { RunMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'

/** Runs of all owners in one state, with their place in the queue and their expected end. */
export function OpsRuns(props: { title: string; empty: string; runs: readonly OpsRun[]; total: number; now: number }) {
  return (
    <section class="box @container mt-5 overflow-hidden" aria-label={props.title}>
      <h2 class="flex items-baseline gap-2 border-b border-line px-4 py-2 font-semibold">
        {props.title} <span class="text-s font-normal text-muted">{count(props.total)}</span>
      </h2>
      <Show when={props.runs.length} fallback={<p class="p-4 text-muted">{props.empty}</p>}>
        <table class="w-full">
          <caption class="sr-only">{props.title}</caption>
          <thead class="sr-only">
            <tr>
              <th scope="col">State</th>
              <th scope="col">Run</th>
              <th scope="col">Trials</th>
              <th scope="col">Expected</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.runs}>
              {(run) => (
                <tr class="relative h-12 not-last:border-b border-line hover:bg-raised">
                  <td class="pr-4 pl-4 whitespace-nowrap @max-2xl:pr-2">
                    <span class="@max-2xl:hidden">
                      <RunMark status={run.status} parked={false} />
                    </span>
                    <span class="hidden @max-2xl:block">
                      <RunMark status={run.status} parked={false} bare />
                    </span>
                  </td>
                  <th scope="row" class="w-full max-w-0 overflow-hidden py-2 pr-2 font-normal">
                    <A href={runPath(run.id)} class="stretch block truncate font-medium">
                      {run.name ?? run.model_slug}
                    </A>
                    <span class="block truncate text-s text-muted">{run.selected_benchmarks.join(', ')}</span>
                  </th>
                  <td class="px-2 text-right whitespace-nowrap text-muted @max-xl:hidden">
                    {count(run.completed_items)} of {count(run.total_items)}
                  </td>
                  <td class="pr-4 text-right text-s whitespace-nowrap text-muted">
                    <Show when={run.forecast} fallback={age(run.completed_at ?? run.created_at, props.now)}>
                      {(forecast) => <span title={forecastText(forecast(), props.now)}>{shortForecast(forecast(), props.now)}</span>}
                    </Show>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
    </section>
  )
}
