import type { JSX } from 'solid-js'
import { Show } from '../ui/show.tsx'

/** One step of the start page: its number, what it asks, and, once answered, the answer in a line. */
export function Step(props: {
  number: number
  title: string
  summary: JSX.Element
  done: boolean
  open: boolean
  toggle?: () => void
  /** What the button that opens the step says. */
  opens?: string
  children: JSX.Element
}) {
  return (
    <section aria-labelledby={`step-${props.number}`} class="box">
      <header class="flex min-h-12 items-center gap-3 px-4 py-2">
        <span
          class={`flex size-6 shrink-0 items-center justify-center rounded-full text-s font-semibold ${props.done ? 'bg-moss-soft text-moss' : 'bg-raised text-muted'}`}
          aria-hidden="true"
        >
          {props.number}
        </span>
        <h2 id={`step-${props.number}`} class="font-semibold whitespace-nowrap">
          {props.title}
        </h2>
        <div class="min-w-0 flex-1 truncate text-muted max-sm:whitespace-normal">{props.summary}</div>
        <Show when={props.toggle}>
          <button
            type="button"
            class="btn h-7 px-2 text-s"
            aria-expanded={props.open}
            aria-controls={`step-${props.number}-body`}
            onClick={() => props.toggle!()}
          >
            {props.open ? 'Close' : (props.opens ?? 'Change')}
          </button>
        </Show>
      </header>
      <div id={`step-${props.number}-body`} class="border-t border-line" hidden={!props.open}>
        {props.children}
      </div>
    </section>
  )
}
