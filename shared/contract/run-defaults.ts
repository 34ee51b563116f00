import * as z from 'zod'
import { CreateRun } from './create-run.ts'

const { model_id, provider, temperature, top_p, max_tokens, reasoning_effort, reasoning_budget_tokens, budget_usd } = CreateRun.shape

/** The model and parameters that an owner's runs begin with where nobody names a model. A parameter that is left out or null has no default. */
export const RunDefaults = z.strictObject({
  ...{ model_id, provider, temperature, top_p, max_tokens, reasoning_effort, reasoning_budget_tokens, budget_usd },
  concurrency: z.int().min(1).max(2000).nullish(),
})
export type RunDefaults = z.infer<typeof RunDefaults>

export const KeptDefaults = z.object({ defaults: RunDefaults.nullable().describe('Your default model and parameters; null for none') })
export type KeptDefaults = z.infer<typeof KeptDefaults>

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
