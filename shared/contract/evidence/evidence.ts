import * as z from 'zod'
import { CompletionEvidence, completion } from './completion.ts'
import { DialogueEvidence, dialogue } from './dialogue.ts'
import { ExchangeEvidence, exchange } from './exchange.ts'
import { JudgedEvidence, judged } from './judged.ts'
import type { Kind, Section } from './kind.ts'
import { RewardEvidence, reward } from './reward.ts'
import { TestsEvidence, tests } from './tests.ts'

/** All that a scorer may read. One member per kind of benchmark; a kind joins the union together with its first benchmark. */
export const Evidence = z.discriminatedUnion('kind', [
  CompletionEvidence,
  JudgedEvidence,
  TestsEvidence,
  RewardEvidence,
  DialogueEvidence,
  ExchangeEvidence,
])
export type Evidence = z.infer<typeof Evidence>
export type EvidenceKind = Evidence['kind']
type EvidenceByKind = { [K in EvidenceKind]: Extract<Evidence, { kind: K }> }
export type EvidenceOf<K extends EvidenceKind> = EvidenceByKind[K]

/** Marks a record that holds only the beginning of what was scored. */
export const answerCutFlag = 'answer_cut'
/** The artifact in which such evidence lies whole, as JSON. */
export const evidenceName = 'evidence.json'

const kinds: { [K in EvidenceKind]: Kind<EvidenceOf<K>> } = { completion, judged, tests, reward, dialogue, exchange }

export const evidenceKinds = Object.keys(kinds) as [EvidenceKind, ...EvidenceKind[]] // the keys of the record above

const kindOf = ({ kind }: Evidence): Kind<Evidence> => kinds[kind] as Kind<Evidence> // the kind of the evidence itself picks its own

/** What the model answered, as lists, exports and search show it; null where there is no answer in words. */
export function responseOf(evidence: Evidence | null): string | null {
  return evidence && kindOf(evidence).response(evidence)
}

/** Everything in the evidence that can be long, in the order people read it. */
export function sectionsOf(evidence: Evidence | null): Section[] {
  return evidence ? kindOf(evidence).sections(evidence) : []
}

/** The evidence with at least `chars` UTF-16 units less of what no scorer reads, or as few as there are. */
export function shortened(evidence: Evidence, chars: number): Evidence {
  return kindOf(evidence).shorten(evidence, chars)
}

/** The beginning of the evidence, in which no text of the tested model has more than `chars` UTF-16 units. */
export function headOf(evidence: Evidence, chars: number): Evidence {
  return kindOf(evidence).head(evidence, chars)
}

/** What a judge said, in the predecessor's field. */
export function judgeOutputOf(evidence: Evidence | null): { model: string; replies: string[] } | null {
  return evidence && kindOf(evidence).judge_output(evidence)
}
