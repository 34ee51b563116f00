import * as z from 'zod'
import type { ItemFacts } from '../contract/item.ts'
import { nameParts, scenarioText, type TauTask } from './tau-task.ts'

const Party = z.enum(['assistant', 'user'])
const Action = z.object({ party: Party, name: z.string(), args: z.string() })

/** A call that a right dialogue holds. `compare`: the arguments that have to be the same, null for those of the call that was made. */
const GoldAction = Action.extend({ compare: z.array(z.string()).nullable() })
export type GoldAction = z.infer<typeof GoldAction>

/**
 * What an item says of its dialogue: what the user is told, what the world begins with, what has to hold at the end. `args` are JSON text. Everything
 * that its scorer reads is here, so that scores can be recomputed from a record.
 */
export const DialogueFacts = z.object({
  intent: z.string(),
  persona: z.string(),
  purpose: z.string().nullable(),
  scenario: z.string(),
  /** What the user calls about and knows of itself: its first words may be these. */
  question: z.string(),
  /** Sent with every request of both parties. */
  seed: z.int(),
  begins: z.array(Action),
  actions: z.array(GoldAction),
  assertions: z.array(Action.extend({ value: z.boolean(), message: z.string().nullable() })),
  basis: z.array(z.enum(['ENV_ASSERTION', 'ACTION'])),
})
export type DialogueFacts = z.infer<typeof DialogueFacts>

export const factsIn = ({ metadata }: Pick<ItemFacts, 'metadata'>): DialogueFacts => DialogueFacts.parse(metadata)

/** The facts of a task in a trial with this seed. */
export function dialogueFacts(task: TauTask, seed: number): DialogueFacts {
  const { actions, env_assertions, reward_basis } = task.evaluation_criteria
  const { reason_for_call, known_info } = task.user_scenario.instructions
  return {
    ...nameParts(task.id),
    purpose: task.description?.purpose ?? null,
    scenario: scenarioText(task.user_scenario),
    question: [reason_for_call, known_info].filter(Boolean).join(' '),
    seed,
    begins: (task.initial_state.initialization_actions ?? []).map(({ env_type, func_name, arguments: args }) => ({
      party: env_type,
      name: func_name,
      args: JSON.stringify(args),
    })),
    actions: (actions ?? []).map(({ requestor, name, arguments: args, compare_args }) => ({
      party: requestor,
      name,
      args: JSON.stringify(args),
      compare: compare_args ?? null,
    })),
    assertions: (env_assertions ?? []).map(({ env_type, func_name, arguments: args, assert_value, message }) => ({
      party: env_type,
      name: func_name,
      args: JSON.stringify(args),
      value: assert_value,
      message: message ?? null,
    })),
    basis: reward_basis,
  }
}
