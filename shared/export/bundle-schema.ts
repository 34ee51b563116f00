import * as z from 'zod'
import { BenchmarkName, Sha256, Timestamp } from '../contract/ids.ts'
import { Preflight } from '../contract/preflight.ts'
import { byRole } from '../contract/role.ts'
import { BenchmarkStatus, DataIdentity, PlannedBenchmark, RunSpec, RunStatus } from '../contract/run.ts'
import { TrialRecord } from '../contract/trial.ts'
import { Spent, Usage } from '../contract/usage.ts'

/** Name of our bundle format, in results and manifest. The predecessor's bundles carry none. */
export const bundleFormat = 'chutes-bench-runner/3'

const { owner_id: _owner, budgets: _budgets, ...specShape } = RunSpec.shape
/** What a run asked and how it was read, without whose it is. */
export const BundleSpec = z.strictObject(specShape)
export type BundleSpec = z.infer<typeof BundleSpec>

const { agent_id: _agent, session: _session, ...preflightShape } = Preflight.shape
/** What was found before the first trial, without by whom; of a run with gated items without words of others. */
export const BundlePreflight = z.strictObject(preflightShape)
export type BundlePreflight = z.infer<typeof BundlePreflight>

const Count = z.int().min(0)
export const GroupSum = z.strictObject({ right: Count, wrong: Count, failed: Count, score_sum: z.number() })

const itemFields = {
  item_id: z.string(),
  item_hash: z.string(),
  prompt: z.string(),
  response: z.string().nullable(),
  expected: z.string().nullable(),
  is_correct: z.boolean().nullable(),
  score: z.number().nullable(),
  latency_ms: z.number().nullable(),
  input_tokens: Count,
  output_tokens: Count,
  error: z.string().nullable(),
  item_metadata: z.record(z.string(), z.json()),
  /** The judge and its replies, where an answer was judged. */
  judge_output: z.json(),
  created_at: Timestamp,
}

/** One trial in the predecessor's fields, as listed in `results.json`. */
export const ListedItem = z.strictObject({ ...itemFields, test_code: z.string().nullable() })
export type ListedItem = z.infer<typeof ListedItem>

/** One trial, as a line of `items.jsonl`. */
export const BundleLine = z.strictObject({
  created_at: Timestamp,
  record: TrialRecord,
  /** Salted digest of the full record; null unless the text of a gated data set is withheld. */
  withheld_sha256: Sha256.nullable(),
})
export type BundleLine = z.infer<typeof BundleLine>

/** One benchmark of a bundle. Fields up to `items` are the predecessor's. */
export const BundleBenchmark = z.strictObject({
  benchmark_name: BenchmarkName,
  status: BenchmarkStatus,
  score: z.number().nullable(),
  metrics: z.strictObject({
    accuracy: z.number().nullable(),
    correct: Count,
    sampled_items: Count,
    sampled_pct: z.number(),
    score: z.number().nullable(),
    subset_count: z.int().nullable(),
    subset_seed: z.string(),
    total_items: Count,
  }),
  total_items: Count,
  sampled_items: Count,
  completed_items: Count,
  sampled_item_ids: z.array(z.string()),
  /** The items in the predecessor's fields; empty if `items_file` names their file. */
  items: z.array(ListedItem),
  /** Metrics with intervals, as the run's end recorded them; the verifier computes them anew. */
  estimates: z.record(z.string(), z.json()),
  metric_names: z.array(z.string()),
  plan: PlannedBenchmark,
  result: z.strictObject({
    right: Count,
    wrong: Count,
    failed: Count,
    unfinished: Count,
    score_sum: z.number(),
    flags: z.record(z.string(), Count),
    groups: z.record(z.string(), GroupSum),
    withheld: Count,
  }),
  timing: z.strictObject({ started_at: Timestamp.nullable(), completed_at: Timestamp.nullable() }),
})
export type BundleBenchmark = z.infer<typeof BundleBenchmark>

/** `results.json`. */
export const Results = z.strictObject({
  /** `1.0`: the predecessor's form. `1.1`: the items are too many to be listed, and `items_file` names the file that has them. */
  schema_version: z.enum(['1.0', '1.1']),
  items_file: z.literal('items.jsonl').optional(),
  format: z.literal(bundleFormat),
  exported_at: Timestamp,
  run: z.strictObject({
    id: z.string(),
    model_id: z.string(),
    model_slug: z.string(),
    provider: z.string(),
    subset_pct: z.int(),
    subset_count: z.int().nullable(),
    subset_seed: z.string().nullable(),
    status: RunStatus,
    selected_benchmarks: z.array(BenchmarkName),
    overall_score: z.number().nullable(),
    error_message: z.string().nullable(),
    provider_metadata: z.null(),
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
    created_at: Timestamp,
    code_version: z.string(),
    git_sha: z.string().nullable(),
  }),
  benchmarks: z.array(BundleBenchmark).min(1),
  spec: BundleSpec,
  totals: z.strictObject({
    trials: Count,
    right: Count,
    wrong: Count,
    failed: Count,
    unfinished: Count,
    failures: z.record(z.string(), Count),
    usage: Usage,
    cost_usd: z.number().nullable(),
    /** What helpers took besides, by role; absent where none was asked. */
    roles: byRole(Spent).optional(),
  }),
  /** What the run consumed with every attempt, refused ones too: recorded by the run, not derivable from its items. */
  spent: z.strictObject({
    usage: Usage,
    cost_usd: z.number().nullable(),
    retried: Count,
    roles: byRole(Spent).optional(),
  }),
  /** Absent where nothing was looked at. What it took is no part of `spent`. */
  preflight: BundlePreflight.optional(),
})
export type Results = z.infer<typeof Results>

/** The predecessor's manifest fields, in every bundle. */
export const PredecessorManifest = z.object({
  schema_version: z.literal('1.0'),
  run_id: z.string(),
  generated_at: z.string(),
  results_sha256: Sha256,
  signature_algorithm: z.literal('ed25519'),
  public_key_fingerprint: Sha256,
})
export type PredecessorManifest = z.infer<typeof PredecessorManifest>

const Scored = z.strictObject({
  name: BenchmarkName,
  version: z.int(),
  profile: z.string(),
  data: DataIdentity,
  score: z.number().nullable(),
})
const named = {
  ...PredecessorManifest.shape,
  generated_at: Timestamp,
  spec_sha256: Sha256,
  code_version: z.string(),
  trials: Count,
  overall_score: z.number().nullable(),
  benchmarks: z.array(Scored),
}

export const BundleFile = z.strictObject({ name: z.string(), bytes: Count, sha256: Sha256 })
export type BundleFile = z.infer<typeof BundleFile>

/** `manifest.json`, which is what is signed: the exact bytes of every file, packed and unpacked, every single item, and the plan. */
export const Manifest = z.strictObject({
  ...named,
  format: z.literal(bundleFormat),
  files: z.array(BundleFile),
  /** Lines of `items.jsonl` and the root of their Merkle tree (RFC 6962), by which a single one can be proven. */
  items: z.strictObject({ count: Count, root: Sha256 }),
  /** Different artifacts that the items name, their size together, and how many of them are in the archive: all or none. */
  artifacts: z.strictObject({ count: Count, bytes: Count, enclosed: Count }),
  /** Everything in the archive that stands before this manifest. */
  archive: z.strictObject({ bytes: Count, sha256: Sha256 }),
})
export type Manifest = z.infer<typeof Manifest>

/** As much of the predecessor's results as its own verifier read. */
export const PredecessorResults = z.object({
  schema_version: z.literal('1.0'),
  exported_at: z.string(),
  run: z.object({
    id: z.string(),
    model_slug: z.string(),
    subset_pct: z.int(),
    subset_count: z.int().nullable(),
    subset_seed: z.string().nullable(),
    overall_score: z.number().nullable(),
  }),
  benchmarks: z.array(z.object({ benchmark_name: z.string() })),
})
