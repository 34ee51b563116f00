import { createSignal, For } from 'solid-js'
import { Show } from '../../../ui/show.tsx'
import { foundLines } from './found-lines.ts'

/** Lines shown at most: the artifact has the whole, and a search narrows them. */
const mostLines = 400
const searchableLines = 12

/** What a program or a compiler said; a long one can be searched. */
export function LogText(props: { log: string; label: string }) {
  const [wanted, setWanted] = createSignal('')
  const found = () => foundLines(props.log, wanted())
  const shown = () => found().slice(0, mostLines)
  return (
    <div>
      <Show when={props.log.split('\n').length > searchableLines}>
        <input
          type="search"
          class="field mb-2 w-64 max-w-full"
          placeholder="Find in these lines"
          aria-label={`Find in: ${props.label}`}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <Show when={wanted().trim() !== ''}>
          <span class="ml-2 text-s text-muted" role="status">
            {found().length.toLocaleString('en-US')} {found().length === 1 ? 'line' : 'lines'}
          </span>
        </Show>
      </Show>
      <section tabindex="0" aria-label={props.label} class="max-h-96 overflow-auto">
        <For each={shown()}>
          {(line) => (
            <div class="flex gap-3 font-mono text-s leading-5">
              <span class="w-8 shrink-0 text-right text-faint select-none">{line.number}</span>
              <span class="min-w-0 break-words whitespace-pre-wrap">{line.text}</span>
            </div>
          )}
        </For>
      </section>
      <Show when={found().length > mostLines}>
        <p class="text-s text-muted">The first {mostLines} lines are shown; a search finds the others.</p>
      </Show>
    </div>
  )
}
