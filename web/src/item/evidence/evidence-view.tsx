import type { Component } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Evidence, EvidenceKind, EvidenceOf } from '#shared/contract/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { CompletionView } from './completion.tsx'

type Views = { [K in EvidenceKind]: Component<{ evidence: EvidenceOf<K>; record: TrialRecord }> }

/** One view for each kind of evidence; a new kind does not compile without one. */
const views: Views = { completion: CompletionView }

export function EvidenceView(props: { evidence: Evidence; record: TrialRecord }) {
  return <Dynamic component={views[props.evidence.kind]} evidence={props.evidence} record={props.record} />
}
