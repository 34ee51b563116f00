import { createMemo, createSignal } from 'solid-js'
import { answerCutFlag, type EvidenceOf, evidenceName } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'
import { Fold } from '../fold.tsx'
import { markAnswer, markRange, readOf, wantsRendering } from '../mark-answer.ts'
import { MarkdownText, PlainText } from '../markdown-text.tsx'

/** What the reader has chosen stays chosen from item to item; until then the text decides. */
const [chosen, setChosen] = createSignal<'rendered' | 'plain'>()

/** A model's finished answer with the part it was scored by marked, then its reasoning, folded. */
export function CompletionView(props: { evidence: EvidenceOf<'completion'>; record: TrialRecord }) {
  const scored = () => props.evidence.scoring_input ?? props.evidence.text
  const marked = createMemo(() => markAnswer(scored(), readOf(props.record)))
  const rendered = () => (chosen() ?? (wantsRendering(scored()) ? 'rendered' : 'plain')) === 'rendered'
  const notes = () => {
    const cutOff = props.evidence.finish_reason === 'length' ? ['cut off at the token limit'] : []
    const apart = props.record.flags.includes(answerCutFlag) ? [`its beginning; all of it is in ${evidenceName}`] : []
    return [...cutOff, ...apart].join(' · ')
  }
  return (
    <>
      <Section
        title="Answer"
        note={notes()}
        actions={
          <button
            type="button"
            class={`chip ${rendered() ? 'chip-on' : ''}`}
            aria-pressed={rendered()}
            title="Formulas, code and Markdown set; off: the text as the model sent it"
            onClick={() => setChosen(rendered() ? 'plain' : 'rendered')}
          >
            Rendered
          </button>
        }
      >
        <Show when={scored() !== ''} fallback={<p class="text-muted">The answer is empty.</p>}>
          <Fold label={`Show all ${count(scored().length)} characters`}>
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
              <MarkdownText text={scored()} mark={markRange(marked())} />
            </Show>
          </Fold>
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
    </>
  )
}
