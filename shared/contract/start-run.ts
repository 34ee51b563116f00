import type * as z from 'zod'
import { CreateRun } from './create-run.ts'
import type { RunDefaults } from './run-defaults.ts'

/** A request to start or plan a run; without a model it means the defaults of its sender. */
export const StartRun = CreateRun.partial({ model_id: true })
export type StartRun = z.infer<typeof StartRun>

/** Of these a run takes one: where a request names one, the default of the other is none of its own. */
const thinking = ['reasoning_effort', 'reasoning_budget_tokens'] as const

/** A request with its sender's defaults in place of what it leaves out. Every field that it names stands, also one that is null. */
export function withDefaults(named: Record<string, unknown>, defaults: RunDefaults): CreateRun {
  const kept = Object.entries(defaults).filter(([, value]) => value != null)
  const thinks = thinking.some((field) => field in named)
  const meant = kept.filter(([field]) => !(thinks && thinking.some((one) => one === field)))
  return CreateRun.parse({ ...Object.fromEntries(meant), ...named })
}
