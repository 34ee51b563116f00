import type { Component } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import type { Evidence, EvidenceKind, EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { later } from '../../ui/later.tsx'
import { CompletionView } from './completion.tsx'

/** What a view is given: the evidence, the record that it stands in, and what the trial left, with addresses. */
type Given<E> = { evidence: E; record: TrialRecord; artifacts: readonly ArtifactLink[] }
type Views = { [K in EvidenceKind]: Component<Given<EvidenceOf<K>>> }

const DialogueView = later(async () => (await import('./dialogue.tsx')).DialogueView)
const ExchangeView = later(async () => (await import('./exchange.tsx')).ExchangeView)
const JudgedView = later(async () => (await import('./judged.tsx')).JudgedView)
const RewardView = later(async () => (await import('./reward.tsx')).RewardView)
const TestsView = later(async () => (await import('./tests/tests-view.tsx')).TestsView)

/** One view for each kind of evidence; a new kind does not compile without one. */
const views: Views = {
  completion: CompletionView,
  judged: JudgedView,
  tests: TestsView,
  reward: RewardView,
  dialogue: DialogueView,
  exchange: ExchangeView,
}

type AnyView = Component<Given<Evidence>>

export function EvidenceView(props: Given<Evidence>) {
  const view = () => views[props.evidence.kind] as AnyView // the kind of the evidence itself picks its view
  return <Dynamic component={view()} evidence={props.evidence} record={props.record} artifacts={props.artifacts} />
}
