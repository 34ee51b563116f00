import type { EvidenceOf } from '../contract/evidence.ts'
import { scoringInput } from '../scorers/reasoning.ts'
import type { Completion, Solver } from './port.ts'

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
  }
}

/** One call, one answer. */
export const generate: Solver<'completion'> = async (item, params, ports) => {
  const outcome = await ports.generate({ messages: item.messages, params })
  return outcome.ok ? { ok: true, value: completionEvidence(outcome.value) } : outcome
}
