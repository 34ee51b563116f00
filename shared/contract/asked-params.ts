import * as z from 'zod'

/** A provider of the service that is asked. Its API document names them in place of the format. */
export const ProviderId = z.string().max(60).meta({ format: 'provider-id' })

/** Fields that a request to start a run shares with the defaults of its sender. */
export const askedParams = {
  model_id: z.string().min(1).max(300),
  provider: ProviderId.nullish(),
  concurrency: z.int().min(1).max(2000),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  max_tokens: z.int().min(1).max(1_000_000).nullish(),
  reasoning_effort: z.string().max(20).nullish(),
  /** Most tokens of reasoning, in place of a level. */
  reasoning_budget_tokens: z.int().min(1).max(1_000_000).nullish(),
  budget_usd: z.number().min(0).nullish(),
}
