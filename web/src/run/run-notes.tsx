import { A } from '@solidjs/router'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { For, Show } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { runPath } from '../paths.ts'
import { count, moment } from '../ui/format.ts'

/** What needs somebody's attention: why the run stands still or ended short, and its failures by class. */
export function RunNotes(props: { run: Run; head: RunHead }) {
  const classes = () => Object.entries(props.head.failures).sort((a, b) => b[1] - a[1])
  return (
    <>
      <Show when={props.head.parked}>
        {(parked) => (
          <p role="status" class="box flex gap-2 border-papaya-fill px-4 py-3">
            <TriangleAlert size={16} class="mt-0.5 shrink-0 text-papaya" aria-hidden="true" />
            <span class="min-w-0 break-words">
              <strong>The run waits: {parked().reason}.</strong> {parked().detail}{' '}
              <Show when={parked().until} fallback="Resume it when this is settled.">
                {(until) => <>It goes on by itself at {moment(until())}.</>}
              </Show>
            </span>
          </p>
        )}
      </Show>
      <Show when={props.run.error_message}>
        {(message) => (
          <p class="box flex gap-2 border-papaya-fill px-4 py-3">
            <TriangleAlert size={16} class="mt-0.5 shrink-0 text-papaya" aria-hidden="true" />
            <span class="min-w-0 break-words">{message()}</span>
          </p>
        )}
      </Show>
      <Show when={classes().length}>
        <section class="flex flex-wrap items-center gap-2" aria-label="Failures by class">
          <span class="eyebrow">Failures, not counted as wrong</span>
          <For each={classes()}>
            {([name, times]) => (
              <A class="chip hover:text-ink" href={runPath(props.run.id, { failure: name })} noScroll>
                <code class="text-papaya">{name}</code>
                {count(times)}
              </A>
            )}
          </For>
        </section>
      </Show>
    </>
  )
}
