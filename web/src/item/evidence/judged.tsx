import { For } from 'solid-js'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'
import { PlainText } from '../markdown-text.tsx'
import { CompletionView } from './completion.tsx'

/** An answer and what the judge said of it, word by word; the verdict is the judge's, and the replies it could not be read from are kept. */
export function JudgedView(props: { evidence: EvidenceOf<'judged'>; record: TrialRecord }) {
  return (
    <>
      <CompletionView evidence={{ ...props.evidence, kind: 'completion' }} record={props.record} />
      <Show when={props.evidence.judge} fallback={<Section title="Judge">Nothing was judged: the answer is empty.</Section>}>
        {(judge) => (
          <Section title={`Judge: ${judge().model}`}>
            <For each={judge().replies}>
              {(reply, index) => (
                <Show
                  when={index() < judge().replies.length - 1}
                  fallback={<pre class="font-mono text-s leading-5 break-words whitespace-pre-wrap">{reply}</pre>}
                >
                  <details class="mb-2">
                    <summary class="text-s text-muted">Reply {index() + 1} held no verdict; it was asked again</summary>
                    <PlainText text={reply} />
                  </details>
                </Show>
              )}
            </For>
          </Section>
        )}
      </Show>
    </>
  )
}
