import { type JSX, Show } from 'solid-js'

/** A titled stretch of a panel. */
export function Section(props: { title: string; note?: string | undefined; actions?: JSX.Element; children: JSX.Element }) {
  return (
    <section class="border-b border-line px-5 py-4">
      <div class="mb-2 flex items-center gap-2">
        <h3 class="eyebrow">{props.title}</h3>
        <Show when={props.note}>
          <span class="text-s text-papaya">{props.note}</span>
        </Show>
        {/* Read once: what is asked for twice is made twice, and the page the server sent has it once. */}
        <div class="ml-auto flex gap-2 empty:hidden">{props.actions}</div>
      </div>
      {props.children}
    </section>
  )
}
