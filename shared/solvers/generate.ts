import type { EvidenceOf } from '../contract/evidence/evidence.ts'
import type { Outcome } from '../contract/failure.ts'
import { scoringInput } from '../scorers/reasoning.ts'
import type { Answered, Completion, Solver } from './kit.ts'

/** A finished answer as evidence; reasoning inside the answer is cut out by `scoringInput`. */
export function completionEvidence(completion: Completion): EvidenceOf<'completion'> {
  const { text, truncated_reasoning } = scoringInput(completion.text)
  return {
    kind: 'completion',
    text: completion.text,
    reasoning: completion.reasoning,
    finish_reason: completion.finish_reason,
    scoring_input: text === completion.text ? null : text,
    truncated_reasoning,
    ...(completion.refused && { refused: true }),
    ...(completion.tool_calls && completion.tool_calls.length > 0 && { tool_calls: completion.tool_calls }),
  }
}

/** What asking came to as evidence: a limit that stood in the way leaves an empty answer that names it. */
export function answeredEvidence(answered: Answered): Outcome<EvidenceOf<'completion'>> {
  if (answered.ok) return { ok: true, value: completionEvidence(answered.value) }
  if ('failure' in answered) return answered
  const { limit } = answered
  const nothing = { text: '', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false }
  return { ok: true, value: { kind: 'completion', ...nothing, limit } }
}

/** One call, one answer. */
export const generate: Solver<'completion'> = async (item, kit) => answeredEvidence(await kit.ask('model', { messages: item.messages }))
