import * as z from 'zod'
import { CompositeName } from './composite-name.ts'
import { RunStatus } from './run.ts'

/** A share with its 95 % interval, null where it cannot be told, and how many answers it is computed from, of which so many could not be scored. */
const estimated = {
  value: z.number().min(0).max(1).nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.int().min(0),
  failed: z.int().min(0),
}

/** What a composite is made of: its score, what it counts, and the benchmarks it is computed from. */
export const CompositePart = z.object({
  name: z.string(),
  title: z.string(),
  /** In per cent; those of a composite sum to 100. */
  weight: z.number(),
  ...estimated,
  benchmarks: z.array(z.string()).min(1),
  /** Those of them that were not run. */
  absent: z.array(z.string()),
})
export type CompositePart = z.infer<typeof CompositePart>

/** A composite by one set of formulas; `value` is null where these give none without what was not run. */
export const CompositeReading = z.object({ id: z.string(), title: z.string(), ...estimated, parts: z.array(CompositePart).min(1) })
export type CompositeReading = z.infer<typeof CompositeReading>

/** A score of several benchmarks of a run, by the formulas of the run's own profile first. It has its parts, always. */
export const Composite = z.object({ name: CompositeName, title: z.string(), readings: z.array(CompositeReading).min(1) })
export type Composite = z.infer<typeof Composite>

export const RunComposites = z.object({ run_id: z.string(), status: RunStatus, composites: z.array(Composite) })
export type RunComposites = z.infer<typeof RunComposites>
