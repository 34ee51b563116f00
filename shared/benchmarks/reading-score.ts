import type { EvidenceOf } from '../contract/evidence/evidence.ts'
import type { Score } from '../contract/item.ts'
import { isBlank } from '../scorers/instructions/variants.ts'

/** What every kind of answer has. */
type Answered = Omit<EvidenceOf<'completion'>, 'kind'>

/** The text a scorer reads. */
export function scoredText(evidence: Answered): string {
  return evidence.scoring_input ?? evidence.text
}

/** Flags that any answer can have, whatever was read in it: nothing left to read, cut off at the limit, reasoning that never ended. */
export function answerFlags(evidence: Answered): string[] {
  const flags: string[] = []
  if (isBlank(scoredText(evidence))) flags.push('empty')
  if (evidence.finish_reason === 'length') flags.push('truncated')
  if (evidence.refused) flags.push('refused')
  if (evidence.limit) flags.push('limit')
  if (evidence.truncated_reasoning) flags.push('truncated_reasoning')
  return flags
}

/** What a scorer read in an answer. `expected` is compared by equality; `how` ends the explanation. */
export type Reading = { answer: string | null; how: string; flags: readonly string[] }

/**
 * The score of a reading: right iff it equals the target. Flags common to all completions are added. The explanation has
 * ASCII characters of its own only: one other character doubles the memory of a whole report of records.
 */
export function readingScore(reading: Reading, target: string, evidence: Answered): Score {
  const right = reading.answer === target
  const flags = [...reading.flags, ...(reading.answer === null ? ['unparsed'] : []), ...answerFlags(evidence)]
  const read = reading.answer === null ? `No answer found: ${reading.how}.` : `Read ${reading.answer}: ${reading.how}.`
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: reading.answer,
    explanation: `${read} Expected ${target}.`,
    flags,
    detail: {},
  }
}
