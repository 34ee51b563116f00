import { boxedInteger } from '../scorers/boxed-integer.ts'
import { answeredEvidence, completionEvidence } from './generate.ts'
import type { Completion, Solver } from './kit.ts'

/** Everything the model wrote before its last message: it is kept beside the reasoning, since only the last message is scored. */
function earlierText(first: Completion, second: Completion): string {
  return [first.reasoning, first.text, second.reasoning].filter(Boolean).join('\n\n')
}

/**
 * One call, and one follow-up when the answer holds no box, or one in which nothing can be read: the model is asked to restate its answer in one.
 * The wording is the item's `metadata.follow_up`; without it there is no follow-up. A limit that stands in its way leaves the first answer.
 */
export const lastChance: Solver<'completion'> = async (item, kit) => {
  const first = await kit.ask('model', { messages: item.messages })
  if (!first.ok) return answeredEvidence(first)
  const evidence = completionEvidence(first.value)
  const followUp = item.metadata.follow_up
  const { from } = boxedInteger(evidence.scoring_input ?? evidence.text)
  if (typeof followUp !== 'string' || from === 'box' || from === 'unparsed-box') return { ok: true, value: evidence }
  const messages = [
    ...item.messages,
    { role: 'assistant' as const, content: first.value.text },
    { role: 'user' as const, content: followUp },
  ]
  const second = await kit.ask('model', { messages })
  if (second.ok) return { ok: true, value: { ...completionEvidence(second.value), reasoning: earlierText(first.value, second.value) } }
  return 'limit' in second ? { ok: true, value: { ...evidence, limit: second.limit } } : second
}
