import type { Score } from '../../contract/item.ts'
import { type DataIdentity, type RunHead, RunSpec } from '../../contract/run.ts'
import type { TrialRecord } from '../../contract/trial.ts'
import { metricRowOf } from '../../metrics/metric-row.ts'
import type { MetricRow } from '../../metrics/port.ts'
import { initialHead } from '../../run/apply.ts'
import { benchmarkEnd, runEnd } from '../../run/end-status.ts'
import { type BundlePorts, type TrialPages, writeBundle } from '../bundle.ts'
import { concat } from '../byte-source.ts'
import { claimsOfRun, type EndedRun } from '../claims-of-run.ts'
import { openSigningKey, type SigningKey } from '../signing-key.ts'
import type { VerifyOptions } from '../verify-options.ts'
import type { ScorerLoader } from '../verify-scores.ts'

/** The key of the reference vector: seed bytes 00..1f. */
export const vectorSeed = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
export const vectorKey: SigningKey = openSigningKey(vectorSeed)
export const otherKey: SigningKey = openSigningKey('HxwdHh8AAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo=')
export const exportedAt = new Date('2026-03-04T05:06:07.890Z')

const data: DataIdentity = { source: 'sample', repo: 'example/letters', revision: 'a'.repeat(40), files: [] }
const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }

/** An ended run of two benchmarks: `letters` with `items` items in two epochs, `digits` with one item. */
export function sampleSpec(items: number): RunSpec {
  const benchmark = { version: 1, profile: 'builtin', gated: false, data, params }
  return RunSpec.parse({
    run_id: '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4' as RunSpec['run_id'],
    owner_id: 'owner-secret-1',
    visibility: 'public',
    own_credential: false,
    model: { id: 'model-1', slug: 'example/tiny-model', provider: 'demo' },
    price: { input_per_million_usd: 0.1, output_per_million_usd: 0.3, cached_input_per_million_usd: null },
    benchmarks: [
      { name: 'letters', epochs: 2, total_items: items * 2, sampled_items: items, ...benchmark },
      { name: 'digits', epochs: 1, total_items: 1, sampled_items: 1, ...benchmark },
    ],
    subset: { pct: 50, count: null, seed: 'säed 🙂', sampling: 'sha256' },
    concurrency: 8,
    priority: 0,
    max_failure_share: 0.5,
    budget_usd: null,
    created_at: '2026-03-04T05:00:00.123Z',
  })
}

/** The plan of `sampleSpec`: benchmark after benchmark, epoch after epoch, items by row. */
export function* samplePlan(
  spec: Pick<RunSpec, 'benchmarks'>,
): Generator<{ ordinal: number; benchmark: string; item_id: string; epoch: number }> {
  let ordinal = 0
  for (const { name, epochs, sampled_items } of spec.benchmarks) {
    for (let epoch = 0; epoch < epochs; epoch++) {
      for (let item = 0; item < sampled_items; item++) yield { ordinal: ordinal++, benchmark: name, item_id: String(item), epoch }
    }
  }
}

/** Right when the answer's last letter is the target: the scorer of both sample benchmarks. */
export function sampleScore(item: { target: string }, evidence: { text: string }): Score {
  const answer = evidence.text.at(-1) ?? null
  const right = answer === item.target
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer,
    explanation: `last letter ${answer}`,
    flags: right ? [] : ['missed'],
    detail: {},
  }
}
export const sampleTasks: ScorerLoader = async () => ({ score: sampleScore, card: { version: 1 } })

export function sampleMetrics(
  _names: readonly string[],
  rows: readonly MetricRow[],
  { total_items }: { total_items: number },
): Record<string, unknown> {
  const scored = rows.filter((row) => row.score !== null)
  const value = scored.length === 0 ? null : scored.reduce((sum, row) => sum + (row.score ?? 0), 0) / scored.length
  return { accuracy: { value, low: null, high: null, n: scored.length, method: `mean of ${total_items}` } }
}

/** The record of one trial. Every seventh fails, every third is wrong. */
export function sampleRecord(trial: { ordinal: number; benchmark: string; item_id: string; epoch: number }, padding = ''): TrialRecord {
  const target = 'ABCD'[trial.ordinal % 4]!
  const failed = trial.ordinal % 7 === 6
  const text = `Let me think about “${trial.item_id}”${padding} … ${trial.ordinal % 3 === 0 ? 'X' : target}`
  const score = sampleScore({ target }, { text })
  return {
    ...trial,
    attempt: 1,
    source_id: null,
    item_hash: 'ab12',
    group: trial.ordinal % 2 ? 'höhere Mathematik' : 'law',
    outcome: failed ? 'failed' : score.outcome,
    score: failed ? null : score.value,
    answer: failed ? null : score.answer,
    expected: target,
    explanation: failed ? null : score.explanation,
    flags: failed ? [] : score.flags,
    detail: {},
    messages: [{ role: 'user', content: `Question ${trial.item_id}\nA) é B) \u{1f642} C) "x" D) \\` }],
    params,
    evidence: failed
      ? null
      : { kind: 'completion', text, reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
    failure: failed ? { at: 'provider', reason: 'overloaded', retryable: true, detail: 'HTTP 503', status: 503 } : null,
    item_metadata: { options: ['a', 'b', 'c', 'd'] },
    usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 0, reasoning_tokens: 0 },
    cost_usd: 0.0000025,
    calls: 1,
    model_reported: 'tiny',
    system_fingerprint: null,
    latency_ms: 12.5 + trial.ordinal,
    ttft_ms: 3.25,
    max_gap_ms: 1e-7,
  } as TrialRecord
}

export type SampleRun = { run: EndedRun; records: TrialRecord[] }

export function sampleRun(items: number, edit: (records: TrialRecord[]) => TrialRecord[] = (records) => records, padding = ''): SampleRun {
  const spec = sampleSpec(items)
  const records = edit([...samplePlan(spec)].map((trial) => sampleRecord(trial, padding)))
  const benchmarks = spec.benchmarks.map(({ name, epochs, sampled_items }) => {
    const own = records.filter((record) => record.benchmark === name)
    const count = (outcome: string) => own.filter((record) => record.outcome === outcome).length
    const tally = {
      total: epochs * sampled_items,
      right: count('right'),
      wrong: count('wrong'),
      failed: count('failed'),
      score_sum: count('right'),
      flags: {},
    }
    return [
      name,
      {
        ...tally,
        status: benchmarkEnd(tally, spec.max_failure_share) ?? 'skipped',
        started_at: '2026-03-04T05:00:01.000Z',
        completed_at: '2026-03-04T05:01:00.500Z',
      },
    ] as const
  })
  const before = initialHead(spec)
  const head: RunHead = {
    ...before,
    done: records.length,
    status: runEnd(benchmarks.map(([, { status }]) => (status === 'skipped' ? null : status))) ?? 'canceled',
    benchmarks: Object.fromEntries(benchmarks),
    usage: { input_tokens: 10 * records.length, output_tokens: 5 * records.length, cached_tokens: 0, reasoning_tokens: 0 },
    cost_usd: 0.0000025 * records.length,
    retried: 0,
    started_at: '2026-03-04T05:00:01.000Z',
    completed_at: '2026-03-04T05:01:01.000Z',
  }
  const rowsOf = (name: string) => records.filter((record) => record.benchmark === name).map(metricRowOf)
  const metrics = Object.fromEntries(
    spec.benchmarks.map((planned) => [planned.name, sampleMetrics(['accuracy'], rowsOf(planned.name), planned)]),
  )
  return { run: { spec, head, metrics }, records }
}

/** Pages of `size` trials, as a record store hands them out. */
export function pagesOf(records: readonly TrialRecord[], size = 3): TrialPages {
  return async function* (benchmark) {
    const own = records.filter((record) => record.benchmark === benchmark)
    for (let at = 0; at < own.length; at += size) {
      yield own.slice(at, at + size).map((record) => ({ record, finished_at: '2026-03-04T05:00:30.999Z' }))
    }
  }
}

export function sampleClaims(run: EndedRun) {
  return claimsOfRun(run, { metric_names: () => ['accuracy'], code_version: '0.1.0', now: exportedAt })
}

/** The whole bundle of a sample run in one piece. */
export async function sampleBundle(
  { run, records }: SampleRun,
  key: SigningKey = vectorKey,
  pageSize = 3,
  ports: BundlePorts = {},
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeBundle(sampleClaims(run), pagesOf(records, pageSize), key, ports)) pieces.push(piece)
  return concat(pieces)
}

export function trusting(...keys: SigningKey[]): VerifyOptions {
  const trustedKeys = keys.map(({ fingerprint, public_key }) => ({
    fingerprint,
    public_key,
    valid_from: '2026-01-01T00:00:00Z',
    retired_at: null,
  }))
  return { trustedKeys, tasks: sampleTasks, computeMetrics: sampleMetrics, plan: samplePlan, now: exportedAt }
}
