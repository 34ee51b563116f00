import { KeptDefaults } from '#shared/contract/run-defaults.ts'
import type { Client } from './client.ts'
import { CommandError, type Io } from './io.ts'
import type { RunValues } from './run-options.ts'
import { cleanLine } from './terminal.ts'

/**
 * Fills the options that a command leaves out with the caller's default model and parameters at the
 * service. The defaults apply only if neither `--model` nor DEFAULT_MODEL names a model. If the service
 * returns no defaults, the options stay as they are. Prints the default model on stderr.
 */
export async function withOwnDefaults<V extends RunValues>(values: V, client: Client, io: Io): Promise<V> {
  if (values.model !== undefined || io.env.DEFAULT_MODEL?.trim()) return values
  if (values.benchmark === undefined && values.suite === undefined) return values // refused before any request
  const defaults = await client.get('/api/run-defaults', KeptDefaults).then(
    (kept) => kept.defaults,
    (error: unknown) => {
      if (error instanceof CommandError) return null
      throw error
    },
  )
  if (defaults === null) return values
  const thinks = values['reasoning-effort'] !== undefined || values['thinking-budget'] !== undefined || values['sweep-thinking']
  io.err(`With your defaults at this service: ${cleanLine(defaults.model_id)}`)
  return {
    ...values,
    model: [defaults.model_id],
    provider: values.provider ?? defaults.provider ?? undefined,
    temperature: values.temperature ?? defaults.temperature ?? undefined,
    'top-p': values['top-p'] ?? defaults.top_p ?? undefined,
    'max-tokens': values['max-tokens'] ?? defaults.max_tokens ?? undefined,
    'budget-usd': values['budget-usd'] ?? defaults.budget_usd ?? undefined,
    concurrency: values.concurrency ?? defaults.concurrency ?? undefined,
    ...(!thinks && defaults.reasoning_effort != null && { 'reasoning-effort': [defaults.reasoning_effort] }),
    ...(!thinks && defaults.reasoning_budget_tokens != null && { 'thinking-budget': [defaults.reasoning_budget_tokens] }),
  }
}
