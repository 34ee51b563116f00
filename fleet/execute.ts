import type { Task } from '#shared/benchmarks/task.ts'
import { BadRecord } from '#shared/benchmarks/task.ts'
import type { Message, ModelParams } from '#shared/contract/evidence.ts'
import { type Failure, haltingReasons, type Outcome } from '#shared/contract/failure.ts'
import type { Item, Score } from '#shared/contract/item.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import { addUsage, costUsd, noUsage, type Price, type Usage } from '#shared/contract/usage.ts'
import { TableMissing, type Tables } from '#shared/scorers/tables.ts'
import type { Completion } from '#shared/solvers/port.ts'

/** A model ready to be asked. `onCall` hears of every request that was sent, also of those that failed, with what it used. */
export type TrialModel = {
  generate(
    request: { messages: Message[]; params: ModelParams },
    signal: AbortSignal,
    onCall: (usage: Usage) => void,
  ): Promise<Outcome<Completion>>
  /** When the provider will accept requests again, where it said so (402); ISO 8601 UTC. */
  resetAt(): string | null
}

/** A benchmark of a run with its data opened. */
export type OpenedBenchmark = { planned: PlannedBenchmark; task: Task; tables: Tables; item(index: number, epoch: number): Item }

/** What came of a lease: a record to report, or a reason for which no trial of this run can succeed now. */
export type Executed = { type: 'record'; record: TrialRecord } | { type: 'halt'; failure: Failure }

type Spent = { usage: Usage; calls: number; last: Completion | null }

/** Runs one trial: render, solve, score. Every failure is attributed here, once, to the seam where it happened. Never throws. */
export async function executeTrial(
  lease: Lease,
  benchmark: OpenedBenchmark,
  model: TrialModel,
  price: Price | null,
  signal: AbortSignal,
): Promise<Executed> {
  const { planned, task } = benchmark
  const spent: Spent = { usage: noUsage, calls: 0, last: null }
  const item = seam(
    () => benchmark.item(Number(lease.item_id), lease.epoch),
    (error) => broken('dataset', error instanceof BadRecord ? 'bad-record' : 'unavailable', error),
  )
  if (!item.ok) return { type: 'record', record: toRecord(lease, planned, null, spent, price, item) }

  const ports = {
    generate: async (request: { messages: Message[]; params: ModelParams }) => {
      const outcome = await model.generate(request, signal, (usage) => {
        spent.usage = addUsage(spent.usage, usage)
        spent.calls++
      })
      if (outcome.ok) spent.last = outcome.value
      return outcome
    },
  }
  const solved = await task
    .solver(planned.profile)(item.value, planned.params, ports)
    .catch((error: unknown) => ({ ok: false as const, failure: broken('solver', 'error', error) }))
  if (!solved.ok) {
    const { failure } = solved
    if (failure.at === 'provider' && haltingReasons.includes(failure.reason)) return { type: 'halt', failure }
    return { type: 'record', record: toRecord(lease, planned, item.value, spent, price, solved) }
  }
  const scored = seam(
    () => task.score(item.value, solved.value, planned.profile, benchmark.tables),
    (error) => broken('scorer', error instanceof TableMissing ? 'resource-missing' : 'error', error),
  )
  const record = toRecord(lease, planned, item.value, spent, price, scored)
  return { type: 'record', record: { ...record, evidence: solved.value } }
}

function seam<T>(work: () => T, toFailure: (error: unknown) => Failure): Outcome<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    return { ok: false, failure: toFailure(error) }
  }
}

function broken(at: 'dataset' | 'solver' | 'scorer', reason: string, error: unknown): Failure {
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, 2000)
  return { at, reason, retryable: false, status: null, detail } as Failure // each call names a reason of its own place
}

function toRecord(
  lease: Lease,
  planned: PlannedBenchmark,
  item: Item | null,
  spent: Spent,
  price: Price | null,
  scored: Outcome<Score> | { ok: false; failure: Failure },
): TrialRecord {
  const { last } = spent
  const score = scored.ok ? scored.value : null
  return {
    ...lease,
    source_id: item?.source_id ?? null,
    item_hash: item?.item_hash ?? '',
    group: item?.group ?? null,
    outcome: score ? score.outcome : 'failed',
    score: score ? score.value : null,
    answer: score?.answer ?? null,
    expected: item?.target ?? null,
    explanation: score?.explanation ?? null,
    flags: score?.flags ?? [],
    detail: score?.detail ?? {},
    messages: item?.messages ?? [],
    params: planned.params,
    evidence: null,
    failure: scored.ok ? null : scored.failure,
    item_metadata: item?.metadata ?? {},
    usage: spent.usage,
    cost_usd: costUsd(spent.usage, price),
    calls: spent.calls,
    model_reported: last?.model_reported ?? null,
    system_fingerprint: last?.system_fingerprint ?? null,
    latency_ms: last?.latency_ms ?? null,
    ttft_ms: last?.ttft_ms ?? null,
    max_gap_ms: last?.max_gap_ms ?? null,
  }
}
