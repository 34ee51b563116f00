import * as z from 'zod'
import { splitLines, strip } from '../python/text.ts'

const Caller = z.enum(['assistant', 'user'])
const Arguments = z.record(z.string(), z.json())
const EnvCall = z.object({ env_type: Caller, func_name: z.string(), arguments: Arguments })

/** A task as tau2-bench writes it: only what it may hold in the telecom domain is taken, so that nothing of a task can be passed over. */
export const TauTask = z.object({
  id: z.string(),
  description: z.object({ purpose: z.string().nullish() }).nullish(),
  user_scenario: z.object({
    persona: z.string().nullish(),
    instructions: z.object({
      domain: z.string(),
      reason_for_call: z.string(),
      known_info: z.string().nullish(),
      unknown_info: z.string().nullish(),
      task_instructions: z.string(),
    }),
  }),
  ticket: z.string().nullish(),
  initial_state: z.object({
    initialization_data: z.null().optional(),
    initialization_actions: z.array(EnvCall).nullish(),
    message_history: z.null().optional(),
  }),
  evaluation_criteria: z.object({
    actions: z
      .array(
        z.object({
          requestor: Caller.default('assistant'),
          name: z.string(),
          arguments: Arguments,
          compare_args: z.array(z.string()).nullish(),
        }),
      )
      .nullish(),
    env_assertions: z.array(EnvCall.extend({ assert_value: z.boolean().default(true), message: z.string().nullish() })).nullish(),
    communicate_info: z.null().optional(),
    nl_assertions: z.null().optional(),
    reward_basis: z.array(z.enum(['ENV_ASSERTION', 'ACTION'])).min(1),
  }),
})
export type TauTask = z.infer<typeof TauTask>

/** Names of tasks by split, one row a split. */
export const TauSplit = z.object({ name: z.string(), value: z.array(z.string()) })

/** Python's `textwrap.indent(text, '\t')`: every line that holds more than whitespace. */
function indent(text: string): string {
  return splitLines(text, { ends: true })
    .map((line) => (strip(line) === '' ? line : `\t${line}`))
    .join('')
}

/** What the user is told of itself and its trouble. Source: `UserScenario.__str__`, `src/tau2/data_model/tasks.py`. */
export function scenarioText({ persona, instructions }: TauTask['user_scenario']): string {
  const { domain, reason_for_call, known_info, unknown_info, task_instructions } = instructions
  const told = [
    `Domain: ${domain}`,
    `Reason for call:\n${indent(reason_for_call)}`,
    ...(known_info == null ? [] : [`Known info:\n${indent(known_info)}`]),
    ...(unknown_info == null ? [] : [`Unknown info:\n${indent(unknown_info)}`]),
    `Task instructions:\n${indent(task_instructions)}`,
  ]
  return [...(persona == null ? [] : ['Persona:', indent(persona)]), 'Instructions:', indent(told.join('\n'))].join('\n')
}

/** What the user calls about, and whom it plays, as they stand in a task's name: `[mms_issue]…[PERSONA:Easy]`. */
export function nameParts(id: string): { intent: string; persona: string } {
  const [, intent = 'other'] = /^\[([a-z_]+?)(?:_issue)?\]/.exec(id) ?? []
  const [, persona = 'None'] = /\[PERSONA:([A-Za-z]+)\]$/.exec(id) ?? []
  return { intent, persona }
}
