import { createMemo, createSignal, Show } from 'solid-js'
import type { EvidenceOf } from '#shared/contract/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { markAnswer } from '../mark-answer.ts'
import { MarkdownText, PlainText } from '../markdown-text.tsx'

/** A model's finished answer: reasoning folded, the answer with the part it was scored by marked. */
export function CompletionView(props: { evidence: EvidenceOf<'completion'>; record: TrialRecord }) {
  const [rendered, setRendered] = createSignal(false)
  const scored = () => props.evidence.scoring_input ?? props.evidence.text
  const marked = createMemo(() => markAnswer(scored(), props.record.answer))
  return (
    <>
      <Show when={props.evidence.reasoning}>
        {(reasoning) => (
          <details class="group border-b border-line">
            <summary class="list-none px-5 py-3 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
              <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>Reasoning, not scored
              <span class="ml-2 text-faint">{count(props.record.usage.reasoning_tokens)} tokens</span>
              <Show when={props.evidence.truncated_reasoning}>
                <span class="ml-2 text-papaya">cut off before it ended</span>
              </Show>
            </summary>
            <div class="px-5 pb-4 text-muted">
              <PlainText text={reasoning()} />
            </div>
          </details>
        )}
      </Show>
      <Section
        title="Answer"
        note={props.evidence.finish_reason === 'length' ? 'cut off at the token limit' : undefined}
        actions={
          <button
            type="button"
            class={`chip ${rendered() ? 'chip-on' : ''}`}
            aria-pressed={rendered()}
            onClick={() => setRendered(!rendered())}
          >
            Rendered
          </button>
        }
      >
        <Show
          when={rendered()}
          fallback={
            <pre class="font-mono text-s leading-5 break-words whitespace-pre-wrap">
              {marked().before}
              <Show when={marked().hit}>
                <mark class="rounded-[3px] bg-moss-soft px-0.5 text-ink ring-1 ring-moss-fill" title="Read as the answer">
                  {marked().hit}
                </mark>
              </Show>
              {marked().after}
            </pre>
          }
        >
          <MarkdownText text={scored()} />
        </Show>
        <Show when={props.evidence.scoring_input !== null}>
          <details class="mt-3">
            <summary class="text-s text-muted">The scorer read the text above; what the model sent differs</summary>
            <div class="mt-2">
              <PlainText text={props.evidence.text} />
            </div>
          </details>
        </Show>
      </Section>
    </>
  )
}
