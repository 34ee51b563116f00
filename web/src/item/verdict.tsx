import { For } from 'solid-js'
import type { TrialRecord } from '#shared/contract/trial.ts'
import ArrowRight from '~icons/lucide/arrow-right'
import { percent } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { Flag } from './flag.tsx'

/** The verdict: what was given, what was expected, the score and why; or why there is none. */
export function Verdict(props: { record: TrialRecord }) {
  const partial = () => props.record.score !== null && props.record.score > 0 && props.record.score < 1
  return (
    <section aria-label="Verdict" class="border-b border-line px-5 py-4">
      <Show when={props.record.failure} fallback={<Given record={props.record} />}>
        {(failure) => (
          <p>
            <code class="text-papaya">
              {failure().at}/{failure().reason}
            </code>
            <span class="ml-2 text-muted">
              {failure().retryable ? 'was tried again as often as allowed' : 'is not tried again by itself'}
              {failure().status ? `, HTTP ${failure().status}` : ''}; not counted as wrong
            </span>
          </p>
        )}
      </Show>
      <p class="mt-1 break-words text-muted">
        <Show when={partial()}>
          <span class="mr-2 text-ink">score {percent(props.record.score)}</span>
        </Show>
        {props.record.failure?.detail ?? props.record.explanation}
      </p>
      <div class="mt-2 flex flex-wrap gap-2 empty:hidden">
        <For each={props.record.flags}>{(flag) => <Flag name={flag} />}</For>
        <Show when={props.record.group}>{(group) => <span class="text-s text-faint">{group()}</span>}</Show>
      </div>
    </section>
  )
}

function Given(props: { record: TrialRecord }) {
  return (
    <p class="flex flex-wrap items-baseline gap-x-2 text-l">
      <span class={`line-clamp-4 min-w-0 font-semibold [overflow-wrap:anywhere] ${props.record.outcome === 'right' ? 'text-moss' : ''}`}>
        {props.record.answer ?? 'no answer found'}
      </span>
      <Show when={props.record.expected !== null}>
        <ArrowRight size={15} class="self-center text-faint" aria-hidden="true" />
        <span class="text-s text-faint">expected</span>
        <span class="min-w-0 font-semibold [overflow-wrap:anywhere]">{props.record.expected}</span>
      </Show>
    </p>
  )
}
