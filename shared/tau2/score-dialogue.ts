import { type DialogueEnd, type DialogueEvidence, dialogueEndWords } from '../contract/evidence/dialogue.ts'
import type { ItemFacts, Score } from '../contract/item.ts'
import type { ToolCall } from '../contract/message.ts'
import { factsIn, type GoldAction } from './facts.ts'
import { equal } from './json-values.ts'
import { readArguments } from './python-values.ts'

type Basis = 'ENV_ASSERTION' | 'ACTION'

/**
 * The reward of a dialogue: 1 where the user ended it and everything holds that the task's basis names, else 0. Assertions hold or do not as the replay found
 * them; calls are looked for among those of both parties. Source: `evaluate_simulation`, `src/tau2/evaluator/evaluator.py`.
 */
export function scoreDialogue(item: ItemFacts, evidence: DialogueEvidence): Score {
  const { actions, basis, intent, persona } = factsIn(item)
  const calls = evidence.turns.flatMap((turn) => (turn.type === 'said' ? turn.calls : []))
  const missing = actions.filter((action) => !calls.some((call) => matches(action, call)))
  const assertions = evidence.assertions ?? []
  const fallen = assertions.filter(({ held }) => !held)
  const met: Record<Basis, boolean> = { ENV_ASSERTION: fallen.length === 0, ACTION: missing.length === 0 }
  const played = evidence.end === 'user-stop' && evidence.assertions !== null
  const right = played && basis.every((one) => met[one])
  const held = `${assertions.length - fallen.length} of ${assertions.length} assertions held`
  const why = [
    ...fallen.map(({ name }) => `${name} did not hold`),
    ...(basis.includes('ACTION') ? missing.map(({ name }) => `nobody called ${name}`) : []),
  ]
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: played ? held : null,
    explanation: played ? `${[held, ...why].join('; ')}.` : `Not evaluated: ${dialogueEndWords[evidence.end]}.`,
    flags: [...(played ? [] : [endFlags[evidence.end]]), ...(evidence.broken.length > 0 ? ['begun_anew'] : [])],
    detail: {
      intent,
      persona,
      end: evidence.end,
      steps: evidence.steps,
      errors: evidence.errors,
      actions_matched: actions.length - missing.length,
      actions: actions.length,
    },
  }
}

const endFlags: Record<DialogueEnd, string> = {
  'user-stop': 'not_evaluated',
  'max-steps': 'max_steps',
  'too-many-errors': 'too_many_errors',
  limit: 'limit',
}

/**
 * Whether a call is the wanted one: the name, and those arguments that the task compares; all that the call has where it names none, so that a call without
 * arguments matches any. Source: `Action.compare_with_tool_call`, `src/tau2/data_model/tasks.py`.
 */
function matches(action: GoldAction, call: ToolCall): boolean {
  if (call.name !== action.name) return false
  const [made, wanted] = [readArguments(call.arguments), readArguments(action.args)]
  if (!made || !wanted) return false
  const compared = new Set(action.compare ?? made.keys())
  const only = (all: typeof made) => new Map([...all].filter(([name]) => compared.has(name)))
  return equal(only(made), only(wanted))
}
