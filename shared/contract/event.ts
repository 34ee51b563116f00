import * as z from 'zod'
import { BenchmarkName, Ordinal, SessionId, Timestamp } from './ids.ts'
import { Preflight } from './preflight.ts'
import { byRole } from './role.ts'
import { Parked, RunStatus } from './run.ts'
import { TrialBrief } from './trial.ts'
import { Spent, Usage } from './usage.ts'

const event = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ event_type: z.literal(type), benchmark_name: BenchmarkName.nullable(), at: Timestamp, data })

const none = z.object({})
const holding = z.array(z.tuple([Ordinal, z.int().min(1)]))

/**
 * Everything that can happen to a run, closed. Public events are numbered without gaps, stored and streamed;
 * the internal ones (see `isPublic`) change who is at what only. Names follow the predecessor's stream where it had one.
 */
export const RunEvent = z.discriminatedUnion('event_type', [
  event(
    'run_created',
    z.object({
      model_slug: z.string(),
      provider: z.string(),
      subset_pct: z.int(),
      subset_count: z.int().nullable(),
      subset_seed: z.string(),
      benchmark_count: z.int(),
    }),
  ),
  event('run_started', none),
  event('run_preflight', Preflight.omit({ at: true })),
  event('run_paused', none),
  event('run_parked', Parked),
  event('run_resumed', none),
  event('run_requeued', z.object({ retried: z.array(z.object({ ordinal: Ordinal, failure: z.string(), group: z.string().nullable() })) })),
  event('run_reprioritised', z.object({ priority: z.int() })),
  event('run_concurrency_changed', z.object({ concurrency: z.int() })),
  event('run_budget_changed', z.object({ budget_usd: z.number().nullable() })),
  event('run_canceled', none),
  event('run_completed', z.object({ status: RunStatus, overall_score: z.number().nullable(), completed_benchmarks: z.int() })),
  event('run_failed', z.object({ status: RunStatus, failed_benchmarks: z.int() })),
  event('benchmark_started', z.object({ completed: z.int(), total: z.int() })),
  event('benchmark_resumed', z.object({ completed: z.int(), total: z.int() })),
  event(
    'benchmark_progress',
    z.object({
      completed: z.int(),
      total: z.int(),
      current_accuracy: z.number().nullable(),
      unleased: z.int(),
      recovered: z.int(),
      results: z.array(TrialBrief),
    }),
  ),
  event(
    'benchmark_completed',
    z.object({
      status: z.enum(['succeeded', 'incomplete']),
      completed: z.int(),
      total: z.int(),
      metrics: z.object({ accuracy: z.number().nullable() }),
    }),
  ),
  event('benchmark_failed', z.object({ completed: z.int(), total: z.int() })),
  event('agent_joined', z.object({ agent_id: z.string(), session: SessionId, until_ms: z.number() })),
  event('agent_lost', z.object({ agent_id: z.string(), session: SessionId, reason: z.enum(['silent', 'closed', 'replaced', 'drained']) })),
  event(
    'attempt_refused',
    z.object({
      ordinal: Ordinal,
      attempt: z.int(),
      lost: z.boolean(),
      /** Why the trial is tried again, as `sandbox/unavailable`; absent where the attempt was given up or came too late. */
      failure: z.string().optional(),
      usage: Usage,
      cost_usd: z.number().nullable(),
      roles: byRole(Spent).optional(),
    }),
  ),
  event('agent_renewed', z.object({ session: SessionId, until_ms: z.number(), width: z.int().min(0).optional() })),
  event('preflight_taken', z.object({ session: SessionId, until_ms: z.number() })),
  /** `begun`: their agent starts work on them at once. */
  event('trials_leased', z.object({ session: SessionId, leases: holding, begun: z.literal(true).optional() })),
  event('trials_begun', z.object({ leases: holding })),
  /** `death`: the attempts came to nothing. `lost`: they may have cost money although nobody is known to have begun them. */
  event('trials_released', z.object({ leases: holding, death: z.boolean(), lost: z.literal(true).optional() })),
])
export type RunEvent = z.infer<typeof RunEvent>
export type RunEventType = RunEvent['event_type']
export type EventOf<T extends RunEventType> = Extract<RunEvent, { event_type: T }>

const internalTypes: readonly RunEventType[] = ['agent_renewed', 'preflight_taken', 'trials_leased', 'trials_begun', 'trials_released']

/** Whether an event is numbered, stored and shown; the others only move leases. */
export function isPublic(event: RunEvent): boolean {
  return !internalTypes.includes(event.event_type)
}

/** An event as the stream and the API carry it. `id` is its number within the run, from 1 without gaps. */
export const StreamedEvent = z.object({
  id: z.int().min(1),
  event_type: z.string(),
  benchmark_name: z.string().nullable(),
  message: z.string(),
  data: z.record(z.string(), z.json()),
  created_at: Timestamp,
})
export type StreamedEvent = z.infer<typeof StreamedEvent>
