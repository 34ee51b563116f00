import * as z from 'zod'

/** Tokens of one or more model calls. `cached` is part of `input`, `reasoning` is part of `output`. */
export const Usage = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached_tokens: z.int().min(0),
  reasoning_tokens: z.int().min(0),
})
export type Usage = z.infer<typeof Usage>

export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  }
}

/** What some calls used and cost; the cost is null where their price is unknown. */
export const Spent = z.object({ usage: Usage, cost_usd: z.number().min(0).nullable() })
export type Spent = z.infer<typeof Spent>

/** Price in US dollars per million tokens, frozen with the run. */
export const Price = z.object({
  input_per_million_usd: z.number().min(0),
  output_per_million_usd: z.number().min(0),
  cached_input_per_million_usd: z.number().min(0).nullable(),
})
export type Price = z.infer<typeof Price>

/** Cost in US dollars, or null when the price is unknown. Cached input tokens are billed at their own rate where one is given. */
export function costUsd(usage: Usage, price: Price | null): number | null {
  if (!price) return null
  const cachedRate = price.cached_input_per_million_usd ?? price.input_per_million_usd
  const fresh = Math.max(0, usage.input_tokens - usage.cached_tokens)
  return (fresh * price.input_per_million_usd + usage.cached_tokens * cachedRate + usage.output_tokens * price.output_per_million_usd) / 1e6
}
