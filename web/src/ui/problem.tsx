import { revalidate } from '@solidjs/router'
import { HttpStatusCode } from '@solidjs/start'
import { createSignal, For, type JSX } from 'solid-js'
import RotateCw from '~icons/lucide/rotate-cw'
import TriangleAlert from '~icons/lucide/triangle-alert'
import type { ApiProblem } from '../api.ts'
import { CopyButton } from './copy.tsx'
import { isPassing } from './is-passing.ts'
import { Show } from './show.tsx'

/**
 * A failed call: what happened, who must act, and the request id to copy. `page` makes it the answer's status as well. What another try may mend has
 * a button for it: `retry`, or for a page everything it shows is asked for again.
 */
export function ProblemNote(props: { problem: ApiProblem; page?: boolean; retry?: () => unknown; children?: JSX.Element }) {
  const [trying, setTrying] = createSignal(false)
  const retry = () => props.retry ?? (props.page ? () => revalidate() : undefined)
  const again = async () => {
    setTrying(true)
    await Promise.resolve(retry()?.()).catch(() => undefined) // what comes of it is shown in place of this note
    setTrying(false)
  }
  // A single fault is often the detail again.
  const errors = () => props.problem.errors.filter((error) => error.message !== props.problem.detail)
  const status = () => (props.problem.status >= 400 ? props.problem.status : 502)
  return (
    <section role="alert" aria-busy={trying()} class={`box flex max-w-2xl gap-3 border-papaya-fill p-4 ${trying() ? 'opacity-60' : ''}`}>
      <Show when={props.page}>
        <HttpStatusCode code={status()} />
      </Show>
      <TriangleAlert size={18} class="mt-0.5 shrink-0 text-papaya" aria-hidden="true" />
      <div class="min-w-0 flex-1">
        <h2 class="font-semibold">{props.problem.title}</h2>
        <p class="mt-1 break-words text-muted">{props.problem.detail}</p>
        <Show when={errors().length}>
          <ul class="mt-2 list-disc pl-4">
            <For each={errors()}>
              {(error) => (
                <li>
                  <code>{error.pointer}</code> {error.message}
                </li>
              )}
            </For>
          </ul>
        </Show>
        <div class="mt-3 flex flex-wrap items-center gap-2">
          <Show when={retry() && isPassing(props.problem.status)}>
            <button type="button" class="btn" disabled={trying()} onClick={again}>
              <RotateCw size={15} aria-hidden="true" />
              {trying() ? 'Trying again' : 'Try again'}
            </button>
          </Show>
          {props.children}
          <Show when={props.problem.request_id}>{(id) => <CopyButton text={id()} label={`Request ${id()}`} />}</Show>
        </div>
      </div>
    </section>
  )
}
