import type { EvidenceOf } from '../contract/evidence.ts'
import type { Score } from '../contract/item.ts'

/** The text a scorer reads. */
export function scoredText(evidence: EvidenceOf<'completion'>): string {
  return evidence.scoring_input ?? evidence.text
}

/** What a scorer read in an answer. `expected` is compared by equality; `how` ends the explanation. */
export type Reading = { answer: string | null; how: string; flags: readonly string[] }

/** The score of a reading: right iff it equals the target. Flags common to all completions are added. */
export function readingScore(reading: Reading, target: string, evidence: EvidenceOf<'completion'>): Score {
  const right = reading.answer === target
  const flags = [...reading.flags]
  if (reading.answer === null) flags.push('unparsed')
  if (evidence.finish_reason === 'length') flags.push('truncated')
  if (evidence.truncated_reasoning) flags.push('truncated_reasoning')
  const read = reading.answer === null ? `No answer found: ${reading.how}.` : `Read “${reading.answer}”: ${reading.how}.`
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: reading.answer,
    explanation: `${read} Expected “${target}”.`,
    flags,
    detail: {},
  }
}
