import * as z from 'zod'

/**
 * What the interval of a score is about. `as_answered`: the score of this fixed set of items with the answers of this one run (had all of them
 * been asked). `expected`: the model's expected score on the set, which answers given once more would scatter around.
 */
export const targets = ['as_answered', 'expected'] as const
export const Target = z.enum(targets)
export type Target = z.infer<typeof Target>

/** A 95 % interval, as shares; `low` and `high` need not be equally far from the value. */
export const Limits = z.object({ low: z.number(), high: z.number() })
export type Limits = z.infer<typeof Limits>

/**
 * A score with the 95 % interval of its `target`. `n` is the number of items scored, `trials` how many answers they got; null value: nothing
 * scored yet. `limits` holds the intervals of both targets. Figures from before there were targets have none of the three.
 */
export const Estimate = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.int(),
  method: z.string(),
  target: Target.nullish(),
  trials: z.int().nullish(),
  limits: z.object({ as_answered: Limits, expected: Limits }).nullish(),
})
export type Estimate = z.infer<typeof Estimate>
