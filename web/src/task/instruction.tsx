import { createSignal, For } from 'solid-js'
import { MarkdownText } from '../item/markdown-text.tsx'
import { count } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** Lines that Markdown does not join: of lists, tables, quotes, headings and code. */
const ownLines = /^(?:\s*(?:[-*+]|\d+[.)])\s|```|~~~|#|\||>| {4}|\t)/m

/** The paragraphs of a Markdown text as high as they will be once they are rendered, about. */
function Paragraphs(props: { text: string }) {
  return (
    <div class="prose max-w-[75ch] break-words">
      <For each={props.text.trim().split(/\n(?:[ \t]*\n)+/)}>
        {(one) => <p class={ownLines.test(one) ? 'whitespace-pre-wrap' : ''}>{one}</p>}
      </For>
    </div>
  )
}

/** What whoever works at the task is told; long ones are folded. */
export function Instruction(props: { text: string; cut: boolean }) {
  const [open, setOpen] = createSignal(false)
  const long = () => props.text.length > 2400 || props.text.split('\n').length > 40
  return (
    <section aria-label="Instruction" class="box p-4">
      <h2 class="eyebrow mb-2">Instruction</h2>
      <div class={long() && !open() ? 'max-h-96 overflow-hidden [mask-image:linear-gradient(#000_70%,transparent)]' : ''}>
        <MarkdownText text={props.text} meanwhile={<Paragraphs text={props.text} />} />
      </div>
      <Show when={long()}>
        <button type="button" class="chip mt-2 hover:text-ink" aria-expanded={open()} onClick={() => setOpen(!open())}>
          {open() ? 'Show less' : `Show all ${count(props.text.length)} characters`}
        </button>
      </Show>
      <Show when={props.cut}>
        <p class="mt-2 text-s text-muted">The instruction is longer than is shown here; solvers are told all of it.</p>
      </Show>
    </section>
  )
}
