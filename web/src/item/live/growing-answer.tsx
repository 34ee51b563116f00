import { createEffect, on } from 'solid-js'
import { roleTitles } from '#shared/contract/role.ts'
import type { LiveCall, LivePart } from '#shared/run/live.ts'
import { count } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'

/** An answer that grows, and the reasoning before it, folded. */
export function GrowingAnswer(props: { call: LiveCall; several: boolean }) {
  const title = () => (props.several || props.call.role !== 'model' ? `${roleTitles[props.call.role]}, call ${props.call.call}` : 'Answer')
  const empty = () => props.call.text.text === ''
  return (
    <>
      <Section title={title()}>
        <Show when={!empty()} fallback={<p class="text-muted">No word of it has come yet.</p>}>
          <GrowingText part={props.call.text} label={`${title()}, as far as it has come`} tall />
        </Show>
      </Section>
      <Show when={props.call.reasoning.text !== ''}>
        <details class="group border-b border-line">
          <summary class="list-none px-5 py-3 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
            <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>Reasoning so far
            <span class="ml-2 text-faint tabular-nums">
              {count(props.call.reasoning.from + props.call.reasoning.text.length)} characters
            </span>
          </summary>
          <div class="px-5 pb-4 text-muted">
            <GrowingText part={props.call.reasoning} label="Reasoning, as far as it has come" />
          </div>
        </details>
      </Show>
    </>
  )
}

/** How far from the end a reader still follows it, in pixels. */
const nearPx = 24

/** A text in a box that follows its end, unless the reader has scrolled up. */
function GrowingText(props: { part: LivePart; label: string; tall?: boolean }) {
  let box!: HTMLElement
  let follows = true
  createEffect(
    on(
      () => props.part,
      () => {
        if (follows) box.scrollTop = box.scrollHeight
      },
    ),
  )
  return (
    <>
      <Show when={props.part.from > 0}>
        <p class="mb-2 text-s text-faint">The first {count(props.part.from)} characters are not shown before the trial has ended.</p>
      </Show>
      {/* A box that scrolls is reached by the keyboard. What grows by the second is not read out. */}
      <section
        ref={box}
        tabindex="0"
        aria-label={props.label}
        class={`overflow-auto ${props.tall ? 'max-h-[60dvh]' : 'max-h-80'}`}
        onScroll={() => {
          follows = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
        }}
      >
        <pre class="font-mono text-s leading-5 break-words whitespace-pre-wrap">{props.part.text}</pre>
      </section>
    </>
  )
}
