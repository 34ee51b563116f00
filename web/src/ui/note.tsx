import type { JSX } from 'solid-js'
import Info from '~icons/lucide/info'
import TriangleAlert from '~icons/lucide/triangle-alert'
import { Show } from './show.tsx'

/** A boxed sentence on a page: what the matter is, then what to do. `calm` where nothing is wrong; `quiet` where it changes by the second and is not to be read out each time. */
export function Note(props: { title: string; calm?: boolean; quiet?: boolean; children?: JSX.Element }) {
  return (
    <div role={props.quiet ? undefined : 'status'} class={`box flex gap-2.5 px-4 py-3 ${props.calm ? '' : 'border-papaya-fill'}`}>
      <Show when={props.calm} fallback={<TriangleAlert size={16} class="mt-0.5 shrink-0 text-papaya" aria-hidden="true" />}>
        <Info size={16} class="mt-0.5 shrink-0 text-muted" aria-hidden="true" />
      </Show>
      <div class="min-w-0 flex-1 break-words">
        <p class="font-semibold">{props.title}</p>
        <div class="mt-0.5 text-muted empty:hidden">{props.children}</div>
      </div>
    </div>
  )
}
