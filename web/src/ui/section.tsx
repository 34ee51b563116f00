import type { JSX } from 'solid-js'
import { Show } from './show.tsx'

type Props = { title: string; note?: string | undefined; figures?: string | undefined; actions?: JSX.Element; children: JSX.Element }

/** A titled stretch of a panel. `note` says what is amiss; `figures` are no more than numbers, which take a line of their own where there is no room. */
export function Section(props: Props) {
  return (
    <section class="border-b border-line px-5 py-4">
      <div class={`mb-2 flex items-center gap-x-2 ${props.figures ? 'flex-wrap' : ''}`}>
        <h3 class="eyebrow">{props.title}</h3>
        <Show when={props.note}>
          <span class="text-s text-papaya">{props.note}</span>
        </Show>
        <Show when={props.figures}>
          <span class="text-s text-faint">{props.figures}</span>
        </Show>
        {/* Read once: what is asked for twice is made twice, and the page the server sent has it once. */}
        <div class="ml-auto flex gap-2 empty:hidden">{props.actions}</div>
      </div>
      {props.children}
    </section>
  )
}
