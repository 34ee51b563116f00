import * as z from 'zod'
import { Limits, Target } from './estimate.ts'
import { PayingKey } from './provider-keys.ts'
import { byRole } from './role.ts'

/** What a run would ask, cost and take, before it is started (`POST /api/runs/plan`). */
export const PlanPreview = z.object({
  trials: z.int(),
  benchmarks: z.array(
    z.object({
      name: z.string(),
      items: z.int(),
      /** Whether the items are chosen in place of drawn. */
      chosen: z.boolean().default(false),
      epochs: z.int(),
      trials: z.int(),
      data_source: z.string(),
      profile: z.string(),
      /** Half the width of the limits at a score of 50 %, where they are widest. */
      half_width_pct: z.number(),
      /** What the score's interval will speak of. */
      target: Target.nullish(),
      /** The limits to expect at a few scores; what comes out is not known yet. */
      limits: z.array(z.object({ score: z.number(), as_answered: Limits, expected: Limits })).default([]),
      /** Smallest difference between two models on these items that a paired test finds in 4 of 5 cases; null: none would be found. */
      detectable_pct: z.number().nullable().default(null),
      /** The models that help, by role. */
      roles: byRole(z.string()).default({}),
    }),
  ),
  /** The same of the mean over the benchmarks. */
  detectable_pct: z.number().nullable().default(null),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable(),
  /** What helpers would take besides, by role. */
  roles: byRole(z.object({ input_tokens: z.int(), output_tokens: z.int(), cost_usd: z.number().nullable() })).default({}),
  minutes: z.number().nullable(),
  /** After about how many trials the budget stops the run, by the estimates; null without a budget or a known price. */
  budget_trials: z.int().nullable().default(null),
  /** The saved key of the asker that would pay; null where none would. */
  own_key: PayingKey.nullish(),
  notes: z.array(z.string()),
})
export type PlanPreview = z.infer<typeof PlanPreview>
