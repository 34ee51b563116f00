import { For } from 'solid-js'
import type { EpochResult } from '#shared/contract/api.ts'
import { count, duration } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'

/** How one item ended in every epoch, side by side; each is a link to that epoch. */
export function ItemEpochs(props: { epochs: readonly EpochResult[]; current: number; pathOf: (epoch: number) => string }) {
  const right = () => props.epochs.filter((one) => one.outcome === 'right').length
  const answered = () => props.epochs.filter((one) => one.outcome !== 'failed').length
  return (
    <nav class="border-b border-line px-5 py-3" aria-label="Epochs of this item">
      <p class="mb-2 text-s text-muted">
        <span class="eyebrow">Epochs</span> right in {count(right())} of {count(answered())} that were answered
      </p>
      <ol class="flex gap-2 overflow-x-auto pb-1">
        <For each={props.epochs}>
          {(one) => (
            <li class="shrink-0">
              <a
                href={props.pathOf(one.epoch)}
                noScroll
                replace
                aria-current={one.epoch === props.current ? 'true' : undefined}
                class={`block min-w-24 rounded-box border px-3 py-2 ${one.epoch === props.current ? 'border-ink bg-raised' : 'border-line hover:bg-raised'}`}
              >
                <span class="block text-s text-faint">epoch {one.epoch + 1}</span>
                <OutcomeMark outcome={one.outcome} />
                <span class="block max-w-40 truncate font-medium" title={one.answer ?? one.failure ?? undefined}>
                  <Show when={one.outcome === 'failed'} fallback={one.answer ?? 'no answer read'}>
                    <code class="text-papaya">{one.failure}</code>
                  </Show>
                </span>
                <span class="block text-s whitespace-nowrap text-muted">
                  {count(one.output_tokens)} tokens, {duration(one.latency_ms)}
                </span>
              </a>
            </li>
          )}
        </For>
      </ol>
    </nav>
  )
}
