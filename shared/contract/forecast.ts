import * as z from 'zod'
import { BenchmarkName, Timestamp } from './ids.ts'

/** Why a moment is not known. */
export const ForecastUnknown = z.discriminatedUnion('kind', [
  /** No trial of these benchmarks with this model has ended yet, and no other model that ran them ran others of the run too. */
  z.object({ kind: z.literal('not-measured'), benchmarks: z.array(BenchmarkName) }),
  /** It waits for slots of a run for which no time is known. */
  z.object({ kind: z.literal('behind-unknown') }),
  /** No agent that is connected can work on it. */
  z.object({ kind: z.literal('no-agent') }),
  /** It lies further ahead than the forecast reaches. */
  z.object({ kind: z.literal('too-far') }),
])
export type ForecastUnknown = z.infer<typeof ForecastUnknown>

/** When a run that waits or works is expected to start and to end, if nobody else comes. */
export const Forecast = z.object({
  /** Place among the runs that have no agent, by priority and then age, from 1; null for a run that has one. */
  position: z.int().min(1).nullable(),
  /** Runs that have no agent. */
  waiting: z.int().min(0),
  /** Null for a run that has an agent, and where it is not known. */
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  /** Why an expected moment is missing; null where none is. */
  unknown: ForecastUnknown.nullable(),
})
export type Forecast = z.infer<typeof Forecast>
