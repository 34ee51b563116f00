import * as z from 'zod'
import { Forecast } from './forecast.ts'
import { foreign } from './foreign.ts'
import { Timestamp } from './ids.ts'
import { MachineUsage } from './machine-usage.ts'
import { Resources } from './resources.ts'
import { RunStatus } from './run.ts'

/** A run in the operator's lists, whoever owns it. */
export const OpsRun = z.object({
  id: z.string(),
  name: z.string().nullable(),
  model_slug: z.string(),
  provider: z.string(),
  status: RunStatus,
  priority: z.int(),
  subset_pct: z.int(),
  subset_count: z.int().nullable(),
  subset_seed: z.string().nullable(),
  selected_benchmarks: z.array(z.string()),
  /** The same names as `selected_benchmarks`: the predecessor's field. */
  benchmarks: z.array(z.string()),
  total_items: z.int(),
  completed_items: z.int(),
  failed_items: z.int(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  forecast: Forecast.nullable(),
})
export type OpsRun = z.infer<typeof OpsRun>

/** An agent of the fleet. The first six names are the predecessor's. */
export const OpsWorker = z.object({
  worker_id: z.string(),
  hostname: z.string(),
  running_runs: z.int(),
  max_concurrent_runs: z.int(),
  item_concurrency: z.int(),
  last_seen: z.string(),
  running_items: z.int(),
  version: z.string(),
  capabilities: z.array(z.string()),
  resources: Resources.nullable(),
  draining: z.boolean(),
  silent: z.boolean(),
  /** Trials at work at the moments of `timeseries`; null where they are not known. */
  load: z.array(z.int().nullable()),
  /** Use of the machine at the last heartbeat; null if the agent does not send it. */
  usage: MachineUsage.nullable(),
  /** Use of the machine at the moments of `timeseries`; null where it is not known. */
  usage_over_time: z.array(MachineUsage.nullable()),
})
export type OpsWorker = z.infer<typeof OpsWorker>

/** The fleet at one moment. A minute in which no agent was connected has no entry. */
export const OpsSample = z.object({
  timestamp: Timestamp,
  worker_count: z.int(),
  running_runs: z.int(),
  queued_runs: z.int(),
  slots: z.int(),
  running_items: z.int(),
})
export type OpsSample = z.infer<typeof OpsSample>

/** What trials that ended in a window took of the tested models. */
export const TokenStats = z.object({
  window_hours: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  cost_usd: z.number(),
  unpriced_items: z.int(),
  items: z.int(),
  failed_items: z.int(),
  failures: z.array(z.object({ name: z.string(), count: z.int() })),
})
export type TokenStats = z.infer<typeof TokenStats>

/** The whole service for its operator. */
export const OpsOverview = z.object({
  workers: z.array(OpsWorker),
  timeseries: z.array(OpsSample),
  queue_counts: z.record(RunStatus, z.int()),
  queued_runs: z.array(OpsRun),
  running_runs: z.array(OpsRun),
  completed_runs: z.array(OpsRun),
  worker_config: z.object({
    item_concurrency: z.int(),
    worker_max_concurrent: z.int().nullable(),
    worker_item_concurrency: z.int().nullable(),
    heartbeat_seconds: z.number(),
    version: z.string(),
  }),
  token_stats: z.object({ last_24h: TokenStats, last_7d: TokenStats }),
})
export type OpsOverview = z.infer<typeof OpsOverview>

const amount = z.number().nullable()

/** The predecessor's names of the fields of `SandyResources`, as its clients read them. */
const FormerResources = z.object({
  canCreateSandbox: z.boolean().nullable(),
  rejectReason: foreign('provider', z.string().nullable()),
  priorityBreakdown: foreign('provider', z.json()),
  cpu_percent: amount,
  memory_percent: amount,
  memory_total_gb: amount,
  memory_available_gb: amount,
  cpuCount: amount,
  memoryTotalBytes: amount,
  memoryUsedBytes: amount,
  memoryAvailableBytes: amount,
  diskTotalBytes: amount,
  diskUsedBytes: amount,
  diskFreeBytes: amount,
  diskUsedRatio: amount,
})

/** The numbers that a Sandy service returns about itself; null where the service does not return a number. */
export const SandyResources = z.object({
  ...FormerResources.shape,
  can_create_sandbox: z.boolean().nullable(),
  reject_reason: foreign('provider', z.string().nullable()),
  limits: foreign('provider', z.json()),
  priority_breakdown: foreign('provider', z.json()),
  cpu_count: amount,
  load1: amount,
  load5: amount,
  load15: amount,
  memory_total_bytes: amount,
  memory_used_bytes: amount,
  memory_available_bytes: amount,
  disk_total_bytes: amount,
  disk_used_bytes: amount,
  disk_free_bytes: amount,
  disk_used_ratio: amount,
})
export type SandyResources = z.infer<typeof SandyResources>
export const SandyMetric = z.object({
  timestamp: foreign('provider', z.string()),
  cpu_ratio: amount,
  memory_ratio: amount,
  disk_ratio: amount,
})
export type SandyMetric = z.infer<typeof SandyMetric>
export const SandySandbox = z.object({
  sandbox_id: z.string(),
  container_id: z.string().nullable(),
  cpu_ratio: amount,
  cpu_cores_used: amount,
  cpu_cores_total: amount,
  memory_usage_bytes: amount,
  memory_limit_bytes: amount,
  memory_ratio: amount,
  disk_bytes: amount,
  updated_at: z.string().nullable(),
})
export type SandySandbox = z.infer<typeof SandySandbox>
