import * as z from 'zod'

/**
 * Tokens of one or more model calls, as far as their provider told them. `cached` is part of `input`, `reasoning` is part of `output`.
 * `untold_calls` counts the calls whose tokens were not told, or only in part; it is absent where all were told.
 */
export const Usage = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached_tokens: z.int().min(0),
  reasoning_tokens: z.int().min(0),
  untold_calls: z.int().min(1).optional(),
})
export type Usage = z.infer<typeof Usage>

export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }
/** Usage of one call whose provider told no tokens. */
export const untoldUsage: Usage = { ...noUsage, untold_calls: 1 }

/** Adds up tokens that were told, and calls whose tokens were not. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  }
  const untold = (a.untold_calls ?? 0) + (b.untold_calls ?? 0)
  if (untold > 0) sum.untold_calls = untold
  return sum
}

/** Whether calls were made and their provider told no token of any: what they cost is unknown, not 0. */
export function isUntold({ input_tokens, output_tokens, untold_calls = 0 }: Usage): boolean {
  return untold_calls > 0 && input_tokens + output_tokens === 0
}

/**
 * What some calls used and cost. The cost is that of the tokens that were told, so "at least" beside `untold_calls`; it is null where the price
 * is unknown or no token was told.
 */
export const Spent = z.object({ usage: Usage, cost_usd: z.number().min(0).nullable() })
export type Spent = z.infer<typeof Spent>

/** Adds what some calls took to a sum. A cost that is not known leaves the sum as it is, or unknown where nothing in it is known. */
export function addSpent(sum: Spent, one: Spent): Spent {
  const usage = addUsage(sum.usage, one.usage)
  if (one.cost_usd === null) return { usage, cost_usd: isUntold(usage) ? null : sum.cost_usd }
  // Only a sum of untold calls is unknown beside one whose price is known.
  return { usage, cost_usd: sum.cost_usd === null && !isUntold(sum.usage) ? null : (sum.cost_usd ?? 0) + one.cost_usd }
}

/** Price in US dollars per million tokens, frozen with the run. */
export const Price = z.object({
  input_per_million_usd: z.number().min(0),
  output_per_million_usd: z.number().min(0),
  /** Null where cached tokens cost what others cost, which is so where it is left out. */
  cached_input_per_million_usd: z.number().min(0).nullable().default(null),
})
export type Price = z.infer<typeof Price>

/**
 * Cost in US dollars of the tokens that were told; null when the price is unknown or no token was told. Cached input tokens are billed at
 * their own rate where one is given.
 */
export function costUsd(usage: Usage, price: Price | null): number | null {
  if (!price || (isUntold(usage) && !isFree(price))) return null
  const cachedRate = price.cached_input_per_million_usd ?? price.input_per_million_usd
  const fresh = Math.max(0, usage.input_tokens - usage.cached_tokens)
  return (fresh * price.input_per_million_usd + usage.cached_tokens * cachedRate + usage.output_tokens * price.output_per_million_usd) / 1e6
}

const isFree = ({ input_per_million_usd, output_per_million_usd }: Price): boolean =>
  input_per_million_usd === 0 && output_per_million_usd === 0
