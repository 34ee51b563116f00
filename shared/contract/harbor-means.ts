import * as z from 'zod'
import { foreign } from './foreign.ts'

/** A metric as Harbor computed it, such as `mean` or the name of a reward. */
export const HarborMetric = z.object({ name: foreign('data-set', z.string()), value: z.number() })

/** Harbor's own numbers over the trials of one data set. */
export const HarborMean = z.object({
  data_set: foreign('data-set', z.string()),
  metrics: z.array(HarborMetric),
  /** Trials whose reward Harbor counts. */
  trials: z.int(),
  /** Trials with an error, whether Harbor counts their reward or not. */
  errors: z.int(),
})
export type HarborMean = z.infer<typeof HarborMean>

/** The mean of an imported run by our rule, beside what Harbor computed of the same trials. */
export const ComparedMeans = z.object({
  /** From 0 to 1; null where no trial was scored. */
  mean: z.number().nullable(),
  scored: z.int(),
  /** Scored trials that count as 0 because their verifier gave no reward that could be read. */
  no_reward: z.int(),
  failed: z.int(),
  /** Empty where the job does not tell. */
  harbor: z.array(HarborMean),
})
export type ComparedMeans = z.infer<typeof ComparedMeans>
