import { RunHead, RunSpec } from '#shared/contract/run.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import type { StoredTrial } from './store.ts'

const created_at = '2026-11-01T10:00:00.000Z'
const params = { temperature: 0, top_p: null, max_tokens: 4096, stop: null, seed: null, reasoning_effort: null }
const tally = { total: 0, right: 0, wrong: 0, failed: 0, score_sum: 0, flags: {} }

/** A small valid run for tests and measurements, with whatever the caller wants different. */
export function exampleSpec(changes: Partial<Record<keyof RunSpec, unknown>> = {}, benchmarks: string[] = ['mmlu_pro']): RunSpec {
  return RunSpec.parse({
    run_id: crypto.randomUUID(),
    owner_id: 'owner-1',
    visibility: 'public',
    model: { id: 'model-1', slug: 'org/Model-1', provider: 'chutes' },
    own_credential: false,
    price: null,
    benchmarks: benchmarks.map((name) => ({
      name,
      version: 1,
      profile: 'builtin',
      epochs: 1,
      total_items: 12032,
      sampled_items: 100,
      gated: false,
      data: { source: 'pinned', repo: 'org/data', revision: 'a'.repeat(40), files: [] },
      params,
    })),
    subset: { pct: 100, count: null, seed: 'seed', sampling: 'sha256' },
    concurrency: 64,
    priority: 0,
    max_failure_share: 0.01,
    budget_usd: null,
    created_at,
    ...changes,
  })
}

export function exampleHead(spec: RunSpec, changes: Partial<RunHead> = {}): RunHead {
  return RunHead.parse({
    run_id: spec.run_id,
    status: 'queued',
    seq: 1,
    total: 100,
    leased: 0,
    lost: 0,
    done: 0,
    order: spec.benchmarks.map(({ name }) => name),
    benchmarks: Object.fromEntries(
      spec.benchmarks.map(({ name }) => [name, { ...tally, total: 100, status: 'pending', started_at: null, completed_at: null }]),
    ),
    groups: {},
    failures: {},
    usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 },
    cost_usd: null,
    retried: 0,
    concurrency: spec.concurrency,
    priority: spec.priority,
    max_failure_share: spec.max_failure_share,
    budget_usd: spec.budget_usd,
    reserve_usd: null,
    parked: null,
    agents: {},
    created_at: spec.created_at,
    started_at: null,
    completed_at: null,
    ...changes,
  })
}

/** Trial `ordinal` of a plan: item and row of that number, right, finished one second after its predecessor. */
export function exampleTrial(ordinal: number, changes: Partial<Record<keyof TrialRecord, unknown>> = {}): StoredTrial {
  const record = TrialRecord.parse({
    ordinal,
    attempt: 1,
    benchmark: 'mmlu_pro',
    item_id: String(ordinal),
    epoch: 0,
    source_id: `q-${ordinal}`,
    item_hash: 'b'.repeat(64),
    group: 'law',
    outcome: 'right',
    score: 1,
    answer: 'A',
    expected: 'A',
    explanation: 'the answer is A',
    flags: [],
    detail: {},
    messages: [
      { role: 'system', content: 'Answer with a letter.' },
      { role: 'user', content: `Question ${ordinal}?` },
    ],
    params,
    evidence: {
      kind: 'completion',
      text: `The answer is (A), item ${ordinal}.`,
      reasoning: 'Let me think.',
      finish_reason: 'stop',
      scoring_input: null,
      truncated_reasoning: false,
    },
    failure: null,
    item_metadata: { options: ['yes', 'no', 'perhaps'] },
    usage: { input_tokens: 100, output_tokens: 20, cached_tokens: 10, reasoning_tokens: 5 },
    cost_usd: 0.001,
    calls: 1,
    model_reported: 'model-1',
    system_fingerprint: null,
    latency_ms: 100 + ordinal,
    ttft_ms: 10,
    max_gap_ms: 5,
    ...changes,
  })
  return { record, finished_at: new Date(Date.parse(created_at) + ordinal * 1000).toISOString(), seq: ordinal + 1 }
}
