import * as z from 'zod'
import { Failure } from '../contract/failure.ts'
import { BenchmarkName, Ordinal, SessionId } from '../contract/ids.ts'
import { PreflightFound } from '../contract/preflight.ts'
import { TrialBrief } from '../contract/trial.ts'
import { Allowance } from './spending.ts'

const command = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape })
/** Trials that an agent wants to execute at once, and trials that it executes; absent before it has sent them. */
const wish = { width: z.int().min(0).optional(), working: z.int().min(0).optional() }
/** What agents of the run were told to make ready, this one and the others: of equal trials each gets its own first. */
const told = z.object({ mine: z.array(z.string()).readonly(), others: z.array(z.string()).readonly() }).optional()
const held = z.array(z.tuple([Ordinal, z.int().min(1)]))

/** What people may do with a run. */
export const RunCommand = z.discriminatedUnion('type', [
  command('cancel', {}),
  command('pause', {}),
  command('resume', {}),
  /** All that may still succeed, or only those of these trials. */
  command('retry_failed', { ordinals: z.array(Ordinal).min(1).max(100).optional() }),
  /** As `retry_failed`, and a canceled run goes on with what it had not asked. */
  command('requeue', {}),
  command('set_concurrency', { concurrency: z.int().min(1).max(2000) }),
  command('prioritise', { priority: z.int().min(-100).max(100) }),
  command('set_budget', { budget_usd: z.number().min(0).nullable() }),
])
export type RunCommand = z.infer<typeof RunCommand>

/** What agents, an importer and the clock do to it. */
export const WorkCommand = z.discriminatedUnion('type', [
  command('hello', { agent_id: z.string(), session: SessionId, holding: held }),
  command('claim', {
    session: SessionId,
    count: z.int().min(1),
    benchmarks: z.array(BenchmarkName).optional(),
    checks: z.boolean().optional(),
    /** Work on what it gets starts at once. */
    begins: z.boolean().optional(),
    told,
    /** What budgets beside the run's own let it come to; absent where none counts it. */
    allowance: Allowance.optional(),
    ...wish,
  }),
  command('renew', { session: SessionId, ...wish }),
  command('report', { session: SessionId, results: z.array(TrialBrief) }),
  /** The agent starts work on these leases. */
  command('begin', { session: SessionId, leases: held }),
  command('release', { session: SessionId, leases: held }),
  command('halt', { session: SessionId, failure: Failure, until: z.string().nullable() }),
  command('preflight', {
    session: SessionId,
    round: z.int(),
    found: PreflightFound,
    failure: Failure.nullable(),
    until: z.string().nullable(),
  }),
  command('leave', { session: SessionId }),
  command('closed', { session: SessionId }),
  /** Results of a run that was made elsewhere: nobody was asked for them here. */
  command('import', { results: z.array(TrialBrief) }),
  command('tick', {}),
])
export type WorkCommand = z.infer<typeof WorkCommand>
export type Command = RunCommand | WorkCommand
