import * as z from 'zod'
import { Forecast } from './forecast.ts'

/** Resources that a pool of an agent can run out of. */
export const pendingUnits = ['calls', 'cpus', 'memory_mb', 'disk_mb'] as const
export const PendingUnit = z.enum(pendingUnits)
export type PendingUnit = z.infer<typeof PendingUnit>

/** A run that holds part of a resource. The id is null for a run that the reader may not see. */
export const PendingHolder = z.object({
  run_id: z.string().nullable(),
  /** Amount of the resource that the run holds. */
  held: z.number().min(0),
  /** Trials of the run that have no result yet. */
  open: z.int().min(0),
  /** Seconds until these trials are done at their usual pace. */
  about_s: z.number().min(0),
})

const benchmarks = z.array(z.string())

/** One reason why trials of a run have no agent. Benchmarks that need the same share a reason. */
export const PendingReason = z.discriminatedUnion('kind', [
  /** No connected agent has these capabilities. */
  z.object({ kind: z.literal('no-capability'), benchmarks, capabilities: z.array(z.string()).min(1) }),
  /** No connected agent has proved one of these kinds of sandbox. */
  z.object({ kind: z.literal('no-sandbox'), benchmarks, sandboxes: z.array(z.string()).min(1) }),
  /** One trial needs more of a resource than any agent has. */
  z.object({ kind: z.literal('too-large'), benchmarks, unit: PendingUnit, needed: z.number(), largest: z.number() }),
  /** Other trials hold the resource; those of runs that come first are named in the order of what they hold. */
  z.object({
    kind: z.literal('busy'),
    benchmarks,
    unit: PendingUnit,
    needed: z.number(),
    held: z.number(),
    total: z.number(),
    holders: z.array(PendingHolder),
  }),
])
export type PendingReason = z.infer<typeof PendingReason>

/** Why a run has fewer trials under way than it could have. Without reasons and with agents it is about to start. */
export const RunPending = z.object({
  /** Agents that can take work, and connected agents that have not been heard for 15 s. */
  agents: z.int().min(0),
  silent_agents: z.int().min(0),
  /** Agents that were given trials of this run. */
  given: z.int().min(0),
  reasons: z.array(PendingReason),
  /** When it is expected to start and to end; null where it has no work to hand out. */
  forecast: Forecast.nullable().default(null),
})
export type RunPending = z.infer<typeof RunPending>
