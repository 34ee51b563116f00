import { A } from '@solidjs/router'
import { createEffect, createSignal, For, onCleanup } from 'solid-js'
import { UnderWay } from '#shared/contract/live.ts'
import { ask } from '../api.ts'
import type { ItemFilter } from '../item/item-filter.ts'
import { itemPath, underWayPath } from '../paths.ts'
import { count } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

const lookMs = 3000

/** The trials that agents have now, each a way to watch it being answered; asked for while the fold is open. */
export function UnderWayList(props: { runId: string; nameOf: (benchmark: string) => string; filter: ItemFilter; alive: boolean }) {
  const [open, setOpen] = createSignal(false)
  /** A pointer or the focus is on the list: what it is about to press stays where it is. */
  const [held, setHeld] = createSignal(false)
  const [now, setNow] = createSignal<UnderWay>()
  createEffect(() => {
    if (!open() || !props.alive) return
    const look = async () => {
      if (document.hidden || held()) return
      const answer = await ask(UnderWay, underWayPath(props.runId))
      if (answer.ok) setNow(answer.value)
    }
    void look()
    const timer = setInterval(() => void look(), lookMs)
    onCleanup(() => clearInterval(timer))
  })
  const more = () => (now()?.total ?? 0) - (now()?.trials.length ?? 0)
  return (
    <details class="box group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="list-none px-4 py-2.5 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>Under way now: watch an item being answered
      </summary>
      <div class="border-t border-line p-4">
        <Show
          when={props.alive && now()?.trials.length}
          fallback={<p class="text-muted">{props.alive ? 'No agent has a trial just now.' : 'Nothing is under way: the run has ended.'}</p>}
        >
          <ul
            class="flex flex-wrap gap-2"
            onPointerEnter={() => setHeld(true)}
            onPointerLeave={() => setHeld(false)}
            onFocusIn={() => setHeld(true)}
            onFocusOut={() => setHeld(false)}
          >
            <For each={now()?.trials}>
              {({ benchmark, item_id, epoch, attempt }) => (
                <li>
                  <A class="chip hover:text-ink" noScroll href={itemPath(props.runId, benchmark, item_id, epoch, props.filter)}>
                    {props.nameOf(benchmark)} {item_id}
                    {epoch > 0 ? ` epoch ${epoch + 1}` : ''}
                    {attempt > 1 ? ` attempt ${attempt}` : ''}
                  </A>
                </li>
              )}
            </For>
          </ul>
          <Show when={more() > 0}>
            <p class="mt-2 text-s text-muted">and {count(more())} more, which are begun after these</p>
          </Show>
        </Show>
      </div>
    </details>
  )
}
