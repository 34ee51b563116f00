import { For } from 'solid-js'
import type { Step } from '#shared/contract/transcript.ts'
import { stepText } from '#shared/run/step-text.ts'
import { PlainText } from '../item/markdown-text.tsx'
import { count, duration } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'
import { CallList } from './call-list.tsx'

/** What happened in a trial, step by step: a line each, its texts behind it. */
export function TranscriptView(props: { steps: readonly Step[] }) {
  return (
    <Section title={`What happened, ${count(props.steps.length)} steps`}>
      <CallList steps={props.steps} />
      <StepList steps={props.steps} />
    </Section>
  )
}

export function StepList(props: { steps: readonly Step[] }) {
  return (
    <ol class="divide-y divide-line">
      <For each={props.steps}>{(step) => <StepRow step={step} />}</For>
    </ol>
  )
}

function StepRow(props: { step: Step }) {
  const said = () => stepText(props.step)
  const line = () => (
    <>
      <span class="mr-3 inline-block min-w-14 text-right text-faint tabular-nums">+{duration(props.step.at_ms)}</span>
      <span class={said().bad ? 'text-papaya' : ''}>{said().line}</span>
    </>
  )
  return (
    <li class="py-1.5 text-s break-words">
      <Show when={said().parts.length > 0} fallback={<div>{line()}</div>}>
        <details>
          <summary class="cursor-pointer hover:text-ink">{line()}</summary>
          <div class="mt-2 mb-3 ml-4 border-l border-line pl-4">
            <For each={said().parts}>
              {(part) => (
                <div class="mb-3">
                  <h4 class="mb-1 text-s text-muted">{part.title}</h4>
                  <Show when={part.text}>
                    <PlainText text={part.text} lines={10} />
                  </Show>
                </div>
              )}
            </For>
          </div>
        </details>
      </Show>
    </li>
  )
}
