import { For, Show } from 'solid-js'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import { partSummary, type TestedPart } from '#shared/contract/evidence/tests.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { Section } from '../../ui/section.tsx'
import { PlainText } from '../markdown-text.tsx'
import { CompletionView } from './completion.tsx'

/** The answer, then every program that it held with what its tests came to. */
export function TestsView(props: { evidence: EvidenceOf<'tests'>; record: TrialRecord }) {
  return (
    <>
      <CompletionView evidence={{ ...props.evidence, kind: 'completion' }} record={props.record} />
      <For each={props.evidence.parts}>{(part) => <PartView part={part} />}</For>
    </>
  )
}

function PartView(props: { part: TestedPart }) {
  return (
    <Section title={props.part.name === '' ? 'Tests' : `Tests: ${props.part.name}`} note={partSummary(props.part)}>
      <Show when={props.part.program !== null} fallback={<p class="text-muted">The answer holds no program.</p>}>
        <PlainText text={props.part.program ?? ''} />
      </Show>
    </Section>
  )
}
