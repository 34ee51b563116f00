import * as z from 'zod'
import { DataFile } from './card.ts'
import { CommandAgent } from './command-agent.ts'
import { DataSource } from './data-source.ts'
import { mostEpochs } from './epochs.ts'
import { foreign } from './foreign.ts'
import { BenchmarkName, RunId, Sha256, Timestamp } from './ids.ts'
import { CallLimits } from './limits.ts'
import { ModelParams } from './message.ts'
import { PreflightState } from './preflight.ts'
import { PlannedRegrade, PlannedReplay } from './replay.ts'
import { Needs } from './resources.ts'
import { byRole, PlannedRole } from './role.ts'
import { Rounds, TrialLimits } from './trial-limits.ts'
import { Price, Spent, Usage } from './usage.ts'

export const runStatuses = ['queued', 'running', 'paused', 'succeeded', 'failed', 'canceled', 'incomplete'] as const
export const RunStatus = z.enum(runStatuses)
export type RunStatus = z.infer<typeof RunStatus>
export const terminalStatuses = ['succeeded', 'failed', 'canceled', 'incomplete'] as const satisfies readonly RunStatus[]

export const benchmarkStatuses = ['pending', 'running', 'succeeded', 'failed', 'skipped', 'incomplete'] as const
export const BenchmarkStatus = z.enum(benchmarkStatuses)
export type BenchmarkStatus = z.infer<typeof BenchmarkStatus>

export const visibilities = ['public', 'link', 'private'] as const
export const samplings = ['sha256', 'legacy'] as const
/** How a percentage that is no whole number of items is taken: at least one item either way. */
export const subsetRoundings = ['floor', 'ceil'] as const
export type SubsetRounding = (typeof subsetRoundings)[number]

/** Which rows a benchmark is run on: the pinned data set, our invented sample, an operator's mirror named by its hash, or an uploaded task by its. */
export const DataIdentity = z.object({
  source: DataSource,
  repo: z.string(),
  revision: z.string(),
  files: z.array(DataFile),
  /** An override whose rows are nobody's but its owner's: they are left out of what others read, as those of gated data are. */
  private: z.literal(true).optional(),
})
export type DataIdentity = z.infer<typeof DataIdentity>

export const PlannedBenchmark = z.object({
  name: BenchmarkName,
  version: z.int().min(1),
  /** The card's at that time: which scorer the run was planned with. Runs from before it was recorded have none. */
  fingerprint: Sha256.optional(),
  profile: z.string(),
  epochs: z.int().min(1).max(mostEpochs),
  total_items: z.int().min(1),
  sampled_items: z.int().min(1),
  /** How its share of a percentage is rounded; absent: down. */
  subset_rounding: z.enum(subsetRoundings).optional(),
  /** Only these items, by their numbers, in place of a draw. */
  items: z.array(z.int().min(0)).optional(),
  /** Whether whoever started the run chose these items: its scores speak of them alone. Absent where they were drawn or are graded again. */
  chosen: z.literal(true).optional(),
  gated: z.boolean(),
  data: DataIdentity,
  params: ModelParams,
  /** Models that take part beside the tested one. */
  roles: byRole(PlannedRole).optional(),
  /** Input tokens of its longest question, where the card tells: the budget reserves so much for a trial. */
  most_input_tokens: z.int().min(1).nullish(),
  /** By which rule intervals are computed. Runs from before the second have none. */
  metrics_version: z.int().min(1).optional(),
  /** Items of each group in the whole data set, where the card tells. */
  group_items: z.record(z.string(), z.int().min(1)).nullish(),
  /** Limits of a call; the default limits if absent. */
  limits: CallLimits.nullish(),
  /** The needs of a trial besides its model; those of a question if absent. */
  needs: Needs.nullish(),
  /** How far a trial may go; absent where nothing bounds it. */
  trial_limits: TrialLimits.nullish(),
  /** The longest conversation, for the budget's reservation; absent if a trial is one question. */
  rounds: Rounds.optional(),
  /** The command that works at the terminal; absent in every profile but `command`. */
  agent: CommandAgent.optional(),
})
export type PlannedBenchmark = z.infer<typeof PlannedBenchmark>

/** Where a run comes from that was not made here: a job of Harbor, whose numbers these are, and the SHA-256 that names the results as they were read. */
export const ImportedFrom = z.object({
  from: z.literal('harbor'),
  job: z.string().max(200),
  job_id: z.string().max(100),
  agent: z.string().max(150),
  sha256: Sha256,
  at: Timestamp,
})
export type ImportedFrom = z.infer<typeof ImportedFrom>

export const Subset = z.object({
  pct: z.int().min(1).max(100),
  count: z.int().min(1).nullable(),
  seed: z.string(),
  sampling: z.enum(samplings),
})
export type Subset = z.infer<typeof Subset>

/** Kinds of providers that people save keys for. */
export const ownProviderKinds = ['openai', 'openrouter', 'chutes'] as const
/** A provider that the owner of a run has a key for; agents ask it at this address and need not have it configured. */
export const OwnProvider = z.object({
  id: z.string().max(40),
  label: z.string().max(200),
  kind: z.enum(ownProviderKinds),
  base_url: z.url({ protocol: /^https?$/ }),
})
export type OwnProvider = z.infer<typeof OwnProvider>

/** All that decides what a run asks and how it is read; frozen when the run is created. */
export const RunSpec = z.object({
  run_id: RunId,
  owner_id: z.string(),
  visibility: z.enum(visibilities),
  model: z.object({ id: z.string(), slug: z.string(), provider: z.string() }),
  /** True when the owner's own key, sealed with the run, pays for its inference. */
  own_credential: z.boolean(),
  /** Where that key is one that its owner has saved: the provider it is for. */
  own_provider: OwnProvider.optional(),
  price: Price.nullable(),
  benchmarks: z.array(PlannedBenchmark).min(1),
  subset: Subset,
  concurrency: z.int().min(1).max(2000),
  priority: z.int().min(-100).max(100),
  max_failure_share: z.number().min(0).max(1),
  budget_usd: z.number().min(0).nullable(),
  /** Holders of budgets that the run counts in (`holderOf`). Absent where no budget counts it. */
  budgets: z.array(z.string()).optional(),
  /** Whether its endpoints are looked at before its first trial. Runs from before that have none, nor have those of invented answers. */
  preflight: z.boolean().optional(),
  /** The answers that were given in place of a model's; absent where a model is asked. */
  replay: PlannedReplay.optional(),
  /** Absent where somebody worked in this run: whose hand-over it grades. */
  regrade: PlannedRegrade.optional(),
  /** Absent where the run was made here. */
  imported: ImportedFrom.optional(),
  created_at: Timestamp,
})
export type RunSpec = z.infer<typeof RunSpec>

/** Counts of one benchmark (or group) of a run while it goes on and when it has ended. */
export const Tally = z.object({
  total: z.int(),
  right: z.int(),
  wrong: z.int(),
  failed: z.int(),
  score_sum: z.number(),
  flags: z.record(z.string(), z.int()),
  /** Items scored in their first epoch. Runs from before it was counted have none. */
  items: z.int().optional(),
})
export type Tally = z.infer<typeof Tally>

export const Parked = z.object({ reason: z.string(), detail: foreign('provider', z.string()), until: Timestamp.nullable() })

/** State of a run as events fold it: the same in the object, in the simulator and in the browser. */
export const RunHead = z.object({
  run_id: RunId,
  status: RunStatus,
  seq: z.int().min(0),
  total: z.int(),
  leased: z.int(),
  /** Attempts whose agent vanished: what they cost is not known, so the budget goes on covering them until they report after all. */
  lost: z.int(),
  done: z.int(),
  order: z.array(BenchmarkName),
  benchmarks: z.record(
    BenchmarkName,
    Tally.extend({
      status: BenchmarkStatus,
      started_at: Timestamp.nullable(),
      completed_at: Timestamp.nullable(),
      /** Calls to the tested model that the reservation of one trial covers; absent: one. */
      reserved_calls: z.int().min(1).optional(),
    }),
  ),
  groups: z.record(z.string(), z.record(z.string(), Tally)),
  failures: z.record(z.string(), z.int()),
  /** The sentence that all failures of a class share; null where they differ. Classes without one, and heads from before, have none. */
  causes: z.record(z.string(), foreign('provider', z.string().nullable())).optional(),
  usage: Usage,
  cost_usd: z.number().nullable(),
  /** What helpers used and cost, which is not part of the two sums above; a role that is not planned is absent. */
  roles: byRole(Spent).optional(),
  retried: z.int(),
  concurrency: z.int(),
  priority: z.int(),
  max_failure_share: z.number(),
  budget_usd: z.number().nullable(),
  reserve_usd: z.number().nullable(),
  /** Reservations in US dollars that count as spent, because calls told no tokens; absent where every call told them. */
  held_usd: z.number().optional(),
  parked: Parked.nullable(),
  /** Absent where the plan asks for none. */
  preflight: PreflightState.optional(),
  /** `width`: most trials that the agent executes at once; absent before its first claim. */
  agents: z.record(z.string(), z.object({ agent_id: z.string(), until_ms: z.number(), width: z.int().min(0).optional() })),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
})
export type RunHead = z.infer<typeof RunHead>

export function isTerminal(status: RunStatus): boolean {
  return (terminalStatuses as readonly RunStatus[]).includes(status)
}
