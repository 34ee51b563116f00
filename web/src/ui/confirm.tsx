import { createSignal, type JSX } from 'solid-js'
import { Show } from './show.tsx'

/** A destructive command in two steps on the same spot: the button, then what it will do with yes and no. */
export function ConfirmButton(props: { children: JSX.Element; question: string; yes: string; act: () => void; disabled?: boolean }) {
  const [asking, setAsking] = createSignal(false)
  return (
    <Show
      when={asking()}
      fallback={
        <button type="button" class="btn btn-danger" disabled={props.disabled} onClick={() => setAsking(true)}>
          {props.children}
        </button>
      }
    >
      <fieldset class="flex flex-wrap items-center gap-2" onKeyDown={(event) => event.key === 'Escape' && setAsking(false)}>
        <legend class="sr-only">{props.question}</legend>
        <span class="text-s" aria-hidden="true">
          {props.question}
        </span>
        <button
          type="button"
          class="btn btn-danger"
          onClick={() => {
            setAsking(false)
            props.act()
          }}
        >
          {props.yes}
        </button>
        <button type="button" class="btn" ref={(no) => queueMicrotask(() => no.focus())} onClick={() => setAsking(false)}>
          Keep
        </button>
      </fieldset>
    </Show>
  )
}
