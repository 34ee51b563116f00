import { boxedInteger } from '../scorers/boxed-integer.ts'
import { completionEvidence } from './generate.ts'
import type { Completion, Solver } from './port.ts'

/** Everything the model wrote before its last message: it is kept beside the reasoning, since only the last message is scored. */
function earlierText(first: Completion, second: Completion): string {
  return [first.reasoning, first.text, second.reasoning].filter(Boolean).join('\n\n')
}

/**
 * One call, and one follow-up when the answer holds no box, or one in which nothing can be read: the model is asked to restate its answer in one.
 * The wording is the item's `metadata.follow_up`; without it there is no follow-up.
 */
export const lastChance: Solver<'completion'> = async (item, params, ports) => {
  const first = await ports.generate({ messages: item.messages, params })
  if (!first.ok) return first
  const evidence = completionEvidence(first.value)
  const followUp = item.metadata.follow_up
  const { from } = boxedInteger(evidence.scoring_input ?? evidence.text)
  if (typeof followUp !== 'string' || from === 'box' || from === 'unparsed-box') return { ok: true, value: evidence }
  const messages = [
    ...item.messages,
    { role: 'assistant' as const, content: first.value.text },
    { role: 'user' as const, content: followUp },
  ]
  const second = await ports.generate({ messages, params })
  if (!second.ok) return second
  return { ok: true, value: { ...completionEvidence(second.value), reasoning: earlierText(first.value, second.value) } }
}
