import task from '#shared/benchmarks/mmlu_pro/task.ts'
import { RunHead, RunSpec } from '#shared/contract/run.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { addUsage, costUsd, noUsage } from '#shared/contract/usage.ts'
import type { TrialPages } from '#shared/export/bundle.ts'
import { claimsOfRun } from '#shared/export/claims-of-run.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { metricRowOf } from '#shared/metrics/metric-row.ts'
import type { MetricRow } from '#shared/metrics/port.ts'
import { initialHead } from '#shared/run/apply.ts'
import { planTrials } from '#shared/run/plan.ts'
import { noTables } from '#shared/scorers/tables.ts'

/** The key that measured bundles are signed with. */
export const benchKey = openSigningKey(btoa('\x07'.repeat(32)))

const at = '2026-01-02T03:04:05.000Z'
const usage = { input_tokens: 4000, output_tokens: 1000, cached_tokens: 0, reasoning_tokens: 800 }
const params = { temperature: 0, top_p: null, max_tokens: 4096, stop: null, seed: null, reasoning_effort: null }
const vocabulary = Array.from({ length: 5000 }, (_, index) =>
  Math.abs(Math.sin(index + 1) * 1e9)
    .toString(36)
    .slice(0, 2 + (index % 9)),
)

/** An ended run of so many trials, each with about so many bytes of text; none is kept, each is made when its page is read. */
export function largeRun(trials: number, bytes: number): { spec: RunSpec; pages: TrialPages; claims: ReturnType<typeof claimsOfRun> } {
  const { card } = task
  const profile = card.profiles[0]!.id
  const spec = RunSpec.parse({
    run_id: '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4',
    owner_id: 'bench',
    visibility: 'public',
    own_credential: false,
    model: { id: 'model', slug: 'example/model', provider: 'demo' },
    price: { input_per_million_usd: 0.1, output_per_million_usd: 0.4, cached_input_per_million_usd: null },
    benchmarks: [
      {
        ...{ name: card.name, version: card.version, profile, epochs: 1, total_items: trials, sampled_items: trials, gated: false, params },
        data: { source: 'sample', repo: 'example/made-up', revision: 'a'.repeat(40), files: [] },
      },
    ],
    subset: { pct: 100, count: null, seed: 'bench', sampling: 'sha256' },
    ...{ concurrency: 8, priority: 0, max_failure_share: 0.01, budget_usd: null, created_at: at },
  })
  const pages: TrialPages = async function* () {
    let page: { record: TrialRecord; finished_at: string }[] = []
    for (const trial of planTrials(spec)) {
      page.push({ record: recordOf(trial, profile, bytes), finished_at: at })
      if (page.length < 150) continue
      yield page
      page = []
    }
    yield page
  }
  return {
    spec,
    pages,
    claims: claimsOfRun(ended(spec, profile), { metric_names: () => card.metrics, code_version: 'bench', now: new Date(at) }),
  }
}

/** How the run ended: counts and metrics of short records are those of the long ones. */
function ended(spec: RunSpec, profile: string) {
  const [planned] = spec.benchmarks as [RunSpec['benchmarks'][0]] // one was planned
  const rows: MetricRow[] = []
  let spent = noUsage
  for (const trial of planTrials(spec)) {
    const record = recordOf(trial, profile, 0)
    rows.push(metricRowOf(record))
    spent = addUsage(spent, record.usage)
  }
  const right = rows.filter(({ outcome }) => outcome === 'right').length
  const metrics = measureBenchmark(task.card.metrics, rows, planned)
  const before = initialHead(spec)
  const tally = {
    ...before.benchmarks[planned.name]!,
    right,
    wrong: rows.length - right,
    score_sum: right,
    status: 'succeeded' as const,
  }
  const head = RunHead.parse({
    ...before,
    ...{ status: 'succeeded', done: rows.length, benchmarks: { [planned.name]: { ...tally, started_at: at, completed_at: at } } },
    ...{ usage: spent, cost_usd: costUsd(spent, spec.price), started_at: at, completed_at: at },
  })
  return { spec, head, metrics: { [planned.name]: metrics } }
}

function recordOf(
  trial: { ordinal: number; benchmark: string; item_id: string; epoch: number },
  profile: string,
  bytes: number,
): TrialRecord {
  const letter = 'ABCDEFGHIJ'[trial.ordinal % 10]!
  const target = trial.ordinal % 3 === 0 ? 'A' : letter
  const question = `Question ${trial.item_id}. ${words(trial.ordinal, bytes * 0.3)}`
  const text = `${words(trial.ordinal + 1e6, bytes * 0.2)} The answer is (${letter}).`
  const evidence = { kind: 'completion' as const, text, reasoning: words(trial.ordinal + 2e6, bytes * 0.5), finish_reason: 'stop' }
  const metadata = { options: ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] }
  const told = { ...evidence, scoring_input: null, truncated_reasoning: false }
  const { value, ...score } = task.score({ target, metadata }, told, profile, noTables)
  return TrialRecord.parse({
    ...{ ...trial, attempt: 1, source_id: trial.item_id, item_hash: 'ab12', group: `group ${trial.ordinal % 14}`, score: value, ...score },
    ...{
      expected: target,
      messages: [{ role: 'user', content: question }],
      params,
      evidence: told,
      failure: null,
      item_metadata: metadata,
    },
    ...{
      usage,
      cost_usd: costUsd(usage, { input_per_million_usd: 0.1, output_per_million_usd: 0.4, cached_input_per_million_usd: null }),
      calls: 1,
    },
    ...{ model_reported: 'model', system_fingerprint: null, latency_ms: 1000 + trial.ordinal, ttft_ms: 100.5, max_gap_ms: 12.25 },
  })
}

function words(seed: number, bytes: number): string {
  let state = seed + 1
  let text = ''
  while (text.length < bytes) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += `${vocabulary[state % vocabulary.length]} `
  }
  return text
}
