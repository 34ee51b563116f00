import * as z from 'zod'
import { ArtifactRef, mostArtifacts } from './artifact.ts'
import { Evidence } from './evidence/evidence.ts'
import { Failure } from './failure.ts'
import { foreign } from './foreign.ts'
import { BenchmarkName, Ordinal } from './ids.ts'
import { ScoreDetail } from './item.ts'
import { Message, ModelParams } from './message.ts'
import { byRole, RoleSpent, roleEntries, rolesOf } from './role.ts'
import { MeasuredBy, StreamFacts } from './stream.ts'
import { Step } from './transcript.ts'
import { Spent, Usage } from './usage.ts'

export const outcomes = ['right', 'wrong', 'failed'] as const
export const TrialOutcome = z.enum(outcomes)
export type TrialOutcome = z.infer<typeof TrialOutcome>

/** What a record holds was read from JSON, so that nothing else can be in it: to look through it again is as much work as all the rest. */
const AnyJson = z.unknown() as unknown as z.ZodType<z.core.util.JSONType>

/** What the agent is asked to run: an item of a benchmark in an epoch, under an attempt that fences late reports. */
export const Lease = z.object({
  ordinal: Ordinal,
  attempt: z.int().min(1),
  benchmark: BenchmarkName,
  item_id: z.string(),
  epoch: z.int().min(0),
})
export type Lease = z.infer<typeof Lease>

/** Wall-clock figures of the answer, in milliseconds; null where no call was made or no token came. */
export const Timing = z.object({
  latency_ms: z.number().min(0).nullable(),
  ttft_ms: z.number().min(0).nullable(),
  max_gap_ms: z.number().min(0).nullable(),
})

/**
 * Everything known of one finished trial: what is stored, shown and exported.
 * `usage` and `cost_usd` count every call of the attempt to the tested model, `calls` says how many there were.
 */
export const TrialRecord = Lease.extend({
  source_id: z.string().nullable(),
  item_hash: z.string(),
  group: z.string().nullable(),
  outcome: TrialOutcome,
  score: z.number().min(0).max(1).nullable(),
  answer: foreign('model', z.string().nullable()),
  expected: foreign('data-set', z.string().nullable()),
  explanation: foreign('model', z.string().nullable()),
  flags: z.array(z.string()),
  detail: foreign('model', ScoreDetail.default({})),
  messages: foreign('data-set', z.array(Message)),
  params: ModelParams.nullable(),
  evidence: foreign('model', Evidence.nullable()),
  failure: Failure.nullable(),
  item_metadata: foreign('data-set', z.record(z.string(), AnyJson)),
  usage: Usage,
  cost_usd: z.number().min(0).nullable(),
  calls: z.int().min(0),
  /** What helpers took; a role that was not asked is absent. */
  roles: byRole(RoleSpent).optional(),
  /** What happened step by step, where one call does not tell it all; a longer one is the artifact of kind `transcript`. */
  transcript: foreign('model', z.array(Step).nullish()),
  /** What else it left behind; the names may be the model's own words. */
  artifacts: foreign('model', z.array(ArtifactRef).max(mostArtifacts).optional()),
  model_reported: foreign('provider', z.string().nullable()),
  system_fingerprint: foreign('provider', z.string().nullable()),
  ...Timing.shape,
  /** How the answer came in that the times above stand for; where the trial failed at a call, what was measured of that. Old records have none. */
  stream: StreamFacts.optional(),
  /** Whose clock the times were taken by; only beside `stream`. */
  measured_by: MeasuredBy.optional(),
})
export type TrialRecord = z.infer<typeof TrialRecord>

/** The part of a record that events carry: enough for progress, feed and tallies, no item text. */
export const TrialBrief = z.object({
  ordinal: Ordinal,
  attempt: z.int().min(1),
  item_id: z.string(),
  epoch: z.int().min(0),
  group: z.string().nullable(),
  outcome: TrialOutcome,
  score: z.number().nullable(),
  answer: foreign('model', z.string().nullable()),
  expected: foreign('data-set', z.string().nullable()),
  failure: z.string().nullable(),
  /** The failure's own sentence where it says what to mend; absent for failures of a provider, whose words say it to nobody in particular. */
  cause: foreign('provider', z.string()).optional(),
  retryable: z.boolean(),
  flags: z.array(z.string()),
  latency_ms: z.number().nullable(),
  ttft_ms: z.number().nullable(),
  usage: Usage,
  cost_usd: z.number().nullable(),
  /** What helpers took; absent where none was asked. */
  roles: byRole(Spent).optional(),
})
export type TrialBrief = z.infer<typeof TrialBrief>

const cut = (text: string | null): string | null => (text && text.length > 60 ? `${text.slice(0, 59)}…` : text)

/** Places whose failures name the thing to mend: a task, its image, a tool, a file. */
const namesCause: readonly string[] = ['sandbox', 'dataset', 'scorer', 'store'] satisfies Failure['at'][]
const mostCause = 300

/** The sentence of a failure that stands for its class where all failures of the class share it. */
function causeOf({ failure }: Pick<TrialRecord, 'failure'>): { cause?: string } {
  // What a build wrote is the log of one task, and its class says whose it is.
  if (!failure || failure.detail === '' || !namesCause.includes(failure.at) || failure.reason === 'build-failed') return {}
  return { cause: failure.detail.slice(0, mostCause) }
}

/** The brief of a record; answers are cut at 60 characters. */
export function briefOf(record: Omit<TrialRecord, 'messages' | 'stream'>): TrialBrief {
  const helpers = roleEntries(rolesOf(record))
  return {
    ordinal: record.ordinal,
    attempt: record.attempt,
    item_id: record.item_id,
    epoch: record.epoch,
    group: record.group,
    outcome: record.outcome,
    score: record.score,
    answer: cut(record.answer),
    expected: cut(record.expected),
    failure: record.failure ? `${record.failure.at}/${record.failure.reason}` : null,
    ...causeOf(record),
    retryable: record.failure?.retryable ?? false,
    flags: record.flags,
    latency_ms: record.latency_ms,
    ttft_ms: record.ttft_ms,
    usage: record.usage,
    cost_usd: record.cost_usd,
    ...(helpers.length > 0 && { roles: Object.fromEntries(helpers.map(([role, { usage, cost_usd }]) => [role, { usage, cost_usd }])) }),
  }
}
