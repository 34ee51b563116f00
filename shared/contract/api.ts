import * as z from 'zod'
import { ArtifactLink } from './artifact.ts'
import { Card } from './card.ts'
import { CompositeName } from './composite-name.ts'
import { DataSource, RunMark } from './data-source.ts'
import { Estimate } from './estimate.ts'
import { StreamedEvent } from './event.ts'
import { Forecast } from './forecast.ts'
import { foreign } from './foreign.ts'
import { Timestamp } from './ids.ts'
import { Model } from './model.ts'
import { RunPulse } from './pulse.ts'
import { queryInteger } from './query-integer.ts'
import { BenchmarkStatus, DataIdentity, RunHead, RunSpec, RunStatus, visibilities } from './run.ts'
import { streamEnds } from './stream.ts'
import { RunStreaming } from './streaming.ts'
import { TeamPlace } from './team-place.ts'
import { outcomes, TrialRecord } from './trial.ts'

export { Agent, AgentList } from './agent.ts'
export { PlanPreview } from './plan-preview.ts'

export { Estimate }

export const BenchmarkResult = z.object({
  id: z.string(),
  benchmark_name: z.string(),
  display_name: z.string(),
  status: BenchmarkStatus,
  total_items: z.int(),
  completed_items: z.int(),
  sampled_items: z.int(),
  epochs: z.int(),
  profile: z.string(),
  data: DataIdentity,
  /** Whether whoever started the run chose its items: the score speaks of them alone. */
  chosen: z.boolean().default(false),
  score: z.number().nullable(),
  estimate: Estimate,
  worst_case: z.number().nullable(),
  best_case: z.number().nullable(),
  right: z.int(),
  wrong: z.int(),
  failed: z.int(),
  /** Plain values by name, once the run has ended: the predecessor's eight, then every other metric. */
  metrics: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  /** Every metric with its interval, once the run has ended, and `timing`: milliseconds to the whole answer and to its first token, and `streaming`: how answers came in. */
  estimates: z.record(z.string(), z.json()),
  /** What a reader must know beside the score, such as many answers that were cut off; null where there is nothing. */
  warning: z.string().nullable().default(null),
  groups: z.array(z.object({ name: z.string(), right: z.int(), wrong: z.int(), failed: z.int(), total: z.int(), estimate: Estimate })),
  error_message: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})
export type BenchmarkResult = z.infer<typeof BenchmarkResult>

/** What a run asks and how it is read, as the API shows it; whose it is only to the owner and the operator. */
export const SeenSpec = RunSpec.omit({ budgets: true, own_provider: true }).extend({ owner_id: z.string().nullable() })
export type SeenSpec = z.infer<typeof SeenSpec>

/** A run as the API shows it. Field names up to `benchmarks` are the predecessor's. */
export const Run = z.object({
  id: z.string(),
  model_id: z.string(),
  model_slug: z.string(),
  provider: z.string(),
  subset_pct: z.int(),
  subset_count: z.int().nullable(),
  subset_seed: z.string().nullable(),
  status: RunStatus,
  selected_benchmarks: z.array(z.string()),
  overall_score: z.number().nullable(),
  error_message: foreign('provider', z.string().nullable()),
  provider_metadata: z.record(z.string(), z.json()).nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  created_at: z.string(),
  benchmarks: z.array(BenchmarkResult),
  labels: z.array(RunMark),
  estimate: Estimate,
  /** Scores of several benchmarks that some of its benchmarks count in. */
  composites: z.array(CompositeName).default([]),
  visibility: z.enum(visibilities),
  mine: z.boolean(),
  team: TeamPlace.nullable().default(null),
  name: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  spec: SeenSpec,
  head: RunHead,
  /** What its agents do now; null where the run has ended or nothing is known. */
  pulse: RunPulse.nullable().default(null),
  /** Of an ended run whose results are still on their way to the record: how many of those done stand there; null of any other. */
  arriving: z.object({ recorded: z.int(), done: z.int() }).nullable().default(null),
  /** When it is expected to start and to end; null where it has no work to hand out. */
  forecast: Forecast.nullable().default(null),
  /** How the answers of all its benchmarks came in; null before the end, in lists, and where nothing was measured. */
  streaming: RunStreaming.nullable().default(null),
})
export type Run = z.infer<typeof Run>

/** One trial of a run. Field names up to `created_at` are the predecessor's. */
export const RunItem = z.object({
  id: z.string(),
  item_id: z.string(),
  item_hash: z.string(),
  prompt: foreign('data-set', z.string()),
  response: foreign('model', z.string().nullable()),
  expected: foreign('data-set', z.string().nullable()),
  is_correct: z.boolean().nullable(),
  score: z.number().nullable(),
  judge_output: foreign('model', z.json().nullable()),
  latency_ms: z.number().nullable(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  error: foreign('provider', z.string().nullable()),
  /** What tested the program: commands, and each test's input and expected output. */
  test_code: foreign('data-set', z.string().nullable()),
  item_metadata: foreign('data-set', z.record(z.string(), z.json())),
  created_at: z.string(),
  ordinal: z.int(),
  benchmark: z.string(),
  epoch: z.int(),
  group: z.string().nullable(),
  outcome: z.enum(outcomes),
  answer: foreign('model', z.string().nullable()),
  flags: z.array(z.string()),
  failure: z.string().nullable(),
  ttft_ms: z.number().nullable(),
  cost_usd: z.number().nullable(),
  judge_cost_usd: z.number().nullable().default(null),
  /** What its `stream` says in short; null where it was not measured. */
  max_token_gap_ms: z.number().nullable().default(null),
  token_rate: z.number().nullable().default(null),
  continuity: z.number().nullable().default(null),
  stream_end: z.enum(streamEnds).nullable().default(null),
})
export type RunItem = z.infer<typeof RunItem>

/** How an item ended in one epoch. */
export const EpochResult = z.object({
  epoch: z.int(),
  outcome: z.enum(outcomes),
  score: z.number().nullable(),
  answer: foreign('model', z.string().nullable()),
  failure: z.string().nullable(),
  latency_ms: z.number().nullable(),
  output_tokens: z.int(),
})
export type EpochResult = z.infer<typeof EpochResult>

/** One item opened by its permalink: the whole record beside the list form, its neighbours in the current filter, and how its epochs ended. */
export const RunItemDetail = z.object({
  item: RunItem,
  record: TrialRecord,
  artifacts: foreign('model', z.array(ArtifactLink).default([])),
  card: Card,
  previous: z.string().nullable(),
  next: z.string().nullable(),
  epochs: z.array(EpochResult).default([]),
})
export type RunItemDetail = z.infer<typeof RunItemDetail>

/** Orders of an item list: by plan; newest, slowest, dearest or longest answer first; lowest score first. */
export const itemOrders = ['plan', 'finished', 'latency', 'cost', 'tokens', 'score'] as const

export const ItemQuery = z.object({
  limit: queryInteger(1, 500).default(100),
  offset: queryInteger(0).default(0),
  after: queryInteger(0).optional(),
  outcome: z.enum(outcomes).optional(),
  group: z.string().max(200).optional(),
  /** Comma-separated flags. An item must have all flags. */
  flag: z.string().max(240).optional(),
  failure: z.string().max(80).optional(),
  epoch: queryInteger(0).optional(),
  q: z.string().max(200).optional(),
  order: z.enum(itemOrders).default('plan'),
})
export type ItemQuery = z.infer<typeof ItemQuery>

/** Whether a number counts all there are, or as many as were looked for: then there are that many or more. */
export const CountIs = z.enum(['exact', 'at-least'])
export type CountIs = z.infer<typeof CountIs>

/** A page ends at its `limit` or at about 4 MB of records, whichever comes first. */
export const ItemPage = z.object({
  items: z.array(RunItem),
  total: z.int(),
  total_is: CountIs.default('exact'),
  limit: z.int(),
  offset: z.int(),
  next_offset: z.int().nullable(),
})

export const ErrorCount = z.object({ message: foreign('provider', z.string()), count: z.int() })

/** `GET /api/runs/{id}/benchmarks/{name}`. */
export const BenchmarkPage = z.object({
  benchmark: BenchmarkResult,
  items: ItemPage,
  summary: z.object({
    total_items: z.int(),
    correct: z.int(),
    incorrect: z.int(),
    errors: z.int(),
    avg_latency_ms: z.number().nullable(),
    avg_ttft_ms: z.number().nullable(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    total_tokens: z.int(),
    input_cost_usd: z.number().nullable(),
    output_cost_usd: z.number().nullable(),
    total_cost_usd: z.number().nullable(),
    pricing_input_per_million_usd: z.number().nullable(),
    pricing_output_per_million_usd: z.number().nullable(),
    error_breakdown: z.array(ErrorCount),
  }),
})
export type BenchmarkPage = z.infer<typeof BenchmarkPage>

export const BenchmarkInfo = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  category: z.string(),
  is_enabled: z.boolean(),
  supports_subset: z.boolean(),
  requires_setup: z.boolean(),
  setup_notes: z.string().nullable(),
  /** What no connected agent has and a trial needs, in words; null: an agent has all of it. */
  lacks: z.string().nullable().default(null),
  default_selected: z.boolean(),
  total_items: z.int(),
  avg_item_latency_ms: z.number().nullable(),
  data_source: DataSource,
  card: Card,
})
export type BenchmarkInfo = z.infer<typeof BenchmarkInfo>
export const ModelList = z.object({ models: z.array(Model), total: z.int() })
export const BenchmarkList = z.object({ benchmarks: z.array(BenchmarkInfo) })
export const RunList = z.object({ runs: z.array(Run), total: z.int() })
export const EventList = z.object({ events: z.array(StreamedEvent), last_id: z.int(), next_after: z.int().nullable() })
export const Done = z.object({ success: z.boolean(), message: z.string() })
export const Status = z.object({
  maintenance_mode: z.boolean(),
  message: z.string(),
  /** When maintenance ends by itself; null where it does not, and outside of it. */
  until: Timestamp.nullable().default(null),
  version: z.string(),
  agents: z.int(),
  /** Agents that are connected and have not been heard for 15 seconds; not among `agents`. */
  silent_agents: z.int().default(0),
  /** Trials that the agents could take on beside what they do now. */
  free_slots: z.int().default(0),
  local: z.boolean(),
  demo: z.boolean(),
})
