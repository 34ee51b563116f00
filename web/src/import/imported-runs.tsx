import { A } from '@solidjs/router'
import { For } from 'solid-js'
import type { HarborImported, HarborRun } from '#shared/contract/harbor-import.ts'
import { meansLines } from '#shared/episode/compare-means.ts'
import { runPath } from '../paths.ts'
import { count } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** The runs that came of a job, each with its address, and what was left out and why. */
export function ImportedRuns(props: { imported: HarborImported }) {
  const more = () => props.imported.left_out_total - props.imported.left_out.length
  return (
    <>
      <div role="status">
        <ul class="grid grid-cols-[minmax(0,1fr)] gap-1">
          <For each={props.imported.runs}>
            {(run) => (
              <li class="[overflow-wrap:anywhere]">
                <A href={runPath(run.run_id)} class="link font-medium">
                  {run.model}
                </A>{' '}
                <span class="text-muted">{runText(run)}</span>
                <For each={meansLines(run.means)}>{(line) => <p class="text-s text-muted">{line}</p>}</For>
              </li>
            )}
          </For>
        </ul>
      </div>
      <Show when={props.imported.left_out_total > 0}>
        <p class="mt-1 text-papaya">{count(props.imported.left_out_total)} left out</p>
        <ul class="grid max-h-60 grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto text-s text-muted">
          <For each={props.imported.left_out}>
            {({ entry, text }) => (
              <li class="[overflow-wrap:anywhere]">
                <code>{entry}</code>: {text}
              </li>
            )}
          </For>
        </ul>
        <Show when={more() > 0}>
          <p class="text-s text-muted">and {count(more())} more</p>
        </Show>
      </Show>
    </>
  )
}

/** `by terminus-2: 4 of 6 trials, canceled: attempts are missing; imported before`. */
function runText({ agent, trials, planned, status, made }: HarborRun): string {
  const missing = trials < planned ? ': attempts are missing' : ''
  return `by ${agent}: ${count(trials)} of ${count(planned)} trial${planned === 1 ? '' : 's'}, ${status}${missing}${made ? '' : '; imported before'}`
}
