import type { StoredRun, StoredTrial } from '#db/store.ts'
import type { Card } from '#shared/contract/card.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { Model } from '#shared/contract/model.ts'
import type { Rescore } from '#shared/contract/rescore.ts'
import { questionNeeds, type SandboxNeeds } from '#shared/contract/resources.ts'
import type { PlannedBenchmark, RunSpec } from '#shared/contract/run.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { initialHead } from '#shared/run/apply.ts'

const at = '2026-01-02T03:04:05.000Z'
const params = { temperature: 0, top_p: null, max_tokens: 2048, stop: null, seed: null, reasoning_effort: null }

export function exampleCard(given: Partial<Card> & Pick<Card, 'name'>): Card {
  return {
    display_name: given.name.toUpperCase(),
    description: 'A benchmark for tests',
    category: 'Core Benchmarks',
    version: 1,
    fingerprint: 'f'.repeat(64),
    evidence: 'completion',
    data: { repo: 'example/data', revision: 'a'.repeat(40), licence: 'MIT', gated: false, files: [file(1000)] },
    total_items: 1000,
    sample_items: 12,
    group_label: null,
    profiles: [
      { id: 'official', title: 'Official', texts: [], files: [], tables: [], params, epochs: 1 },
      { id: 'repeated', title: 'Four times', texts: [], files: [], tables: [], params: { ...params, temperature: 1 }, epochs: 4 },
    ],
    default_profile: 'official',
    default_selected: true,
    metrics: ['accuracy'],
    needs: questionNeeds,
    input: ['text'],
    min_context: null,
    estimate: { input_tokens: 300, output_tokens: 700 },
    fields: [],
    setup_notes: null,
    ...given,
  }
}

const sandbox: SandboxNeeds = { kinds: ['docker'], cpus: 2, memory_mb: 4096, disk_mb: 10_240, images: [] }
const file = (rows: number) => ({ role: 'test', path: 'test.parquet', sha256: null, rows })

/** A plain benchmark, one that is gated and not selected by default, and one that is asked under an old alias. */
export const exampleCards: readonly Card[] = [
  exampleCard({ name: 'mmlu_pro' }),
  exampleCard({
    name: 'gpqa_diamond',
    total_items: 198,
    default_selected: false,
    data: { repo: 'example/gated', revision: 'b'.repeat(40), licence: 'CC-BY-4.0', gated: true, files: [file(198)] },
  }),
  exampleCard({ name: 'ifbench', total_items: 300, default_selected: false, needs: { ...questionNeeds, sandbox } }),
]

export function exampleModel(given: Partial<Model> = {}): Model {
  return {
    id: 'c0ffee00-0000-4000-8000-000000000001',
    slug: 'example/model-70b',
    name: 'example/model-70b',
    provider: 'chutes',
    tagline: null,
    user: 'example',
    logo: null,
    chute_id: 'c0ffee00-0000-4000-8000-000000000001',
    instance_count: 2,
    is_active: true,
    price: { input_per_million_usd: 1, output_per_million_usd: 2, cached_input_per_million_usd: null },
    context_length: 32_768,
    max_output_length: 4096,
    input_modalities: ['text'],
    features: [],
    synced_at: at,
    ...given,
  }
}

export function exampleSpec(given: Partial<Omit<RunSpec, 'run_id'>> & { run_id?: string } = {}): RunSpec {
  const model = exampleModel()
  return {
    owner_id: 'somebody',
    visibility: 'public',
    model: { id: model.id, slug: model.slug, provider: model.provider },
    own_credential: false,
    price: model.price,
    benchmarks: [examplePlanned({ name: 'mmlu_pro' })],
    subset: { pct: 100, count: 4, seed: 'default', sampling: 'sha256' },
    concurrency: 64,
    priority: 0,
    max_failure_share: 0.01,
    budget_usd: null,
    created_at: at,
    ...given,
    run_id: RunId.parse(given.run_id ?? '11111111-1111-4111-8111-111111111111'),
  }
}

export function examplePlanned(given: Partial<PlannedBenchmark> & Pick<PlannedBenchmark, 'name'>): PlannedBenchmark {
  const data = { source: 'pinned' as const, repo: 'example/data', revision: 'a'.repeat(40), files: [file(1000)] }
  return {
    version: 1,
    profile: 'official',
    epochs: 1,
    total_items: 1000,
    sampled_items: 4,
    gated: false,
    data,
    params,
    ...given,
  }
}

export function exampleTrial(given: Partial<TrialRecord> & Pick<TrialRecord, 'ordinal'>): StoredTrial {
  const record: TrialRecord = {
    attempt: 1,
    benchmark: 'mmlu_pro',
    item_id: String(given.ordinal),
    epoch: 0,
    source_id: null,
    item_hash: '0123456789abcdef',
    group: 'law',
    outcome: 'right',
    score: 1,
    answer: 'B',
    expected: 'B',
    explanation: 'The answer is B',
    flags: [],
    detail: {},
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: `Question ${given.ordinal}, with a "quote"` },
    ],
    params: null,
    evidence: {
      kind: 'completion',
      text: 'It is B.',
      reasoning: null,
      finish_reason: 'stop',
      scoring_input: null,
      truncated_reasoning: false,
    },
    failure: null,
    item_metadata: { subject: 'law' },
    usage: { ...noUsage, input_tokens: 100, output_tokens: 20 },
    cost_usd: 0.00014,
    calls: 1,
    model_reported: null,
    system_fingerprint: null,
    latency_ms: 900,
    ttft_ms: 200,
    max_gap_ms: 20,
    ...given,
  }
  return { record, finished_at: at, seq: given.ordinal + 3 }
}

/** Four trials: right, wrong with score 0, failed, and right with an answer that a spreadsheet would run. */
export function exampleTrials(benchmark = 'mmlu_pro'): StoredTrial[] {
  const failure = { at: 'provider', reason: 'rate-limited', retryable: true, detail: 'too many requests', status: 429 } as const
  return [
    exampleTrial({ ordinal: 0, benchmark }),
    exampleTrial({ ordinal: 1, benchmark, outcome: 'wrong', score: 0, answer: 'C' }),
    exampleTrial({ ordinal: 2, benchmark, outcome: 'failed', score: null, answer: null, evidence: null, failure }),
    exampleTrial({ ordinal: 3, benchmark, answer: '=1+1' }),
  ]
}

/** A run that has ended with `exampleTrials`. */
export function exampleEnded(spec: RunSpec): StoredRun {
  const head = initialHead(spec)
  const counts = { right: 2, wrong: 1, failed: 1, score_sum: 2, status: 'incomplete' as const, started_at: at, completed_at: at }
  const benchmarks = Object.fromEntries(Object.entries(head.benchmarks).map(([name, tally]) => [name, { ...tally, ...counts }]))
  const ended = { ...head, status: 'incomplete' as const, benchmarks, done: 4, seq: 9, failures: { 'provider/rate-limited': 1 } }
  return { spec, head: { ...ended, started_at: at, completed_at: at }, metrics: {}, updated_at: at }
}

export function exampleEvent(id: number, given: Partial<StreamedEvent> = {}): StreamedEvent {
  return { id, event_type: 'run_started', benchmark_name: null, message: `Event ${id}`, data: {}, created_at: at, ...given }
}

/** A rescoring of this run in which nothing changed. */
export function exampleRescore(run_id: RunSpec['run_id'], id: string): Rescore {
  const accuracy = { value: 0.5, low: 0.2, high: 0.8, n: 3, method: 'wilson' }
  return {
    ...{ id, run_id, benchmark: 'mmlu_pro', profile: 'official', computed_by: 'edge', code_version: '0.1.0', created_at: at },
    ...{ from: { version: 1, fingerprint: null }, to: { version: 1, fingerprint: 'f'.repeat(64) }, headline: 'accuracy' },
    counts: { trials: 4, failed: 1, unchanged: 3, changed: 0, not_recomputed: {} },
    ...{ missing_tables: [], before: { accuracy }, after: { accuracy } },
  }
}
