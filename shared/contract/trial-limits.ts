import * as z from 'zod'

/**
 * How far a trial may go, each null where nothing bounds it: requests to the tested model, tokens it reads and writes, seconds from the beginning,
 * dollars it costs. Judges do not count: they begin when the model has ended. The dollars bind only where the price is known.
 */
export const TrialLimits = z.object({
  turns: z.int().min(1).nullable(),
  tokens: z.int().min(1).nullable(),
  seconds: z.number().gt(0).nullable(),
  usd: z.number().gt(0).nullable(),
})
export type TrialLimits = z.infer<typeof TrialLimits>

export const noTrialLimits: TrialLimits = { turns: null, tokens: null, seconds: null, usd: null }

/**
 * How far the conversations of a trial may go by the benchmark's own rules: requests that each of its models is sent at most, and tokens by which what it
 * is sent grows from one to the next, its own words among them. Nothing is stopped by it: the budget reserves as much.
 */
export const Rounds = z.object({ most: z.int().min(1), grows_tokens: z.int().min(1) })
export type Rounds = z.infer<typeof Rounds>

/** The limit that ended a trial, and where it stood. What the model had done by then is scored: a limit is evidence, not a failure. */
export const LimitHit = z.object({ limit: z.enum(['turns', 'tokens', 'seconds', 'usd']), most: z.number() })
export type LimitHit = z.infer<typeof LimitHit>
