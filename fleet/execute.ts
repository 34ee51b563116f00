import type { Task } from '#shared/benchmarks/task.ts'
import { BadRecord } from '#shared/benchmarks/task.ts'
import type { EvidenceKind, Message } from '#shared/contract/evidence.ts'
import { type Failure, isHalting, type Outcome } from '#shared/contract/failure.ts'
import type { Item, Score } from '#shared/contract/item.ts'
import { type CallLimits, defaultLimits } from '#shared/contract/limits.ts'
import type { PlannedBenchmark, PlannedJudge } from '#shared/contract/run.ts'
import type { JudgeSpent, Lease, TrialRecord } from '#shared/contract/trial.ts'
import { addUsage, costUsd, noUsage, type Price, type Usage } from '#shared/contract/usage.ts'
import { TableMissing, type Tables } from '#shared/scorers/tables.ts'
import { redactedFlag } from '#shared/secrets/redactor.ts'
import type { Completion, Solver, SolverPorts } from '#shared/solvers/port.ts'
import type { ModelRequest } from './model/request-body.ts'

/** A model ready to be asked, tested or judging. `onCall` hears of every request that was sent, also of those that failed, with what it used. */
export type TrialModel = {
  generate(request: ModelRequest, signal: AbortSignal, onCall: (usage: Usage) => void, limits?: CallLimits): Promise<Outcome<Completion>>
  /** When the provider will accept requests again, where it said so (402); ISO 8601 UTC. */
  resetAt(): string | null
}

/** A benchmark of a run with its data opened, and a client for its judge where it was planned with one. */
export type OpenedBenchmark = {
  planned: PlannedBenchmark
  task: Pick<Task, 'score'>
  solver: Solver<EvidenceKind>
  judge: TrialModel | null
  tables: Tables
  item(index: number, epoch: number): Item
}

/** A reason for which no trial of this run can succeed now, and until when, where the provider said it. */
export type Halt = { failure: Failure; until: string | null }

/**
 * What came of a lease: a record to report, or a reason to stop the run, or both: when the judge's provider refuses, the answer has been
 * paid for already and is on the record.
 */
export type Executed = { type: 'record'; record: TrialRecord; halt: Halt | null } | { type: 'halt'; halt: Halt }

type Calls = { usage: Usage; calls: number; last: Completion | null; redacted: boolean }
type Spent = { model: Calls; judge: Calls }

/** Runs one trial: render, solve, score. Every failure is attributed here, once, to the seam where it happened. Never throws. */
export async function executeTrial(
  lease: Lease,
  benchmark: OpenedBenchmark,
  model: TrialModel,
  price: Price | null,
  signal: AbortSignal,
): Promise<Executed> {
  const { planned, task } = benchmark
  const spent: Spent = {
    model: { usage: noUsage, calls: 0, last: null, redacted: false },
    judge: { usage: noUsage, calls: 0, last: null, redacted: false },
  }
  const item = seam(
    () => benchmark.item(Number(lease.item_id), lease.epoch),
    (error) => broken('dataset', error instanceof BadRecord ? 'bad-record' : 'unavailable', error),
  )
  if (!item.ok) return { type: 'record', record: toRecord(lease, planned, null, spent, price, item), halt: null }

  const solved = await benchmark
    .solver(item.value, planned.params, portsOf(benchmark, model, signal, spent))
    .catch((error: unknown) => ({ ok: false as const, failure: broken('solver', 'error', error) }))
  if (!solved.ok) {
    const { failure } = solved
    const until = (failure.at === 'judge' ? benchmark.judge : model)?.resetAt() ?? null
    const halt = isHalting(failure) ? { failure, until } : null
    if (halt && failure.at === 'provider') return { type: 'halt', halt }
    return { type: 'record', record: toRecord(lease, planned, item.value, spent, price, solved), halt }
  }
  const scored = seam(
    () => task.score(item.value, solved.value, planned.profile, benchmark.tables),
    (error) => broken('scorer', error instanceof TableMissing ? 'resource-missing' : 'error', error),
  )
  const record = toRecord(lease, planned, item.value, spent, price, scored)
  return { type: 'record', record: { ...record, evidence: solved.value }, halt: null }
}

/** Ports that count: the model's calls and the judge's apart. */
function portsOf({ planned, judge }: OpenedBenchmark, model: TrialModel, signal: AbortSignal, spent: Spent): SolverPorts {
  const counted = async (asked: TrialModel, request: ModelRequest, calls: Calls): Promise<Outcome<Completion>> => {
    const onCall = (usage: Usage): void => {
      calls.usage = addUsage(calls.usage, usage)
      calls.calls++
    }
    const outcome = await asked.generate(request, signal, onCall, planned.limits ?? defaultLimits)
    if (outcome.ok) {
      calls.last = outcome.value
      calls.redacted ||= outcome.value.redacted === true
    }
    return outcome
  }
  return {
    judgedBy: planned.judge ? { model: planned.judge.model.slug, params: planned.judge.params, schema: planned.judge.schema } : null,
    generate: (request) => counted(model, request, spent.model),
    async judge(request) {
      if (!judge) return { ok: false, failure: broken('solver', 'error', `${planned.name} was planned without a judge.`) }
      const outcome = await counted(judge, request, spent.judge)
      return outcome.ok ? outcome : { ok: false, failure: judgeFailure(outcome.failure) }
    },
  }
}

/** A failed call to the judge: the same reasons at another place, so that nobody looks for the cause at the tested model. */
function judgeFailure(failure: Failure): Failure {
  return failure.at === 'provider' ? { ...failure, at: 'judge' } : failure
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
  const { usage, calls, last } = spent.model
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
    flags: [...(score?.flags ?? []), ...(spent.model.redacted || spent.judge.redacted ? [redactedFlag] : [])],
    detail: score?.detail ?? {},
    messages: item ? item.messages.map(withoutData) : [],
    params: planned.params,
    evidence: null,
    failure: scored.ok ? null : scored.failure,
    item_metadata: item?.metadata ?? {},
    usage,
    cost_usd: costUsd(usage, price),
    calls,
    ...(planned.judge && spent.judge.calls > 0 && { judge: judgeSpent(planned.judge, spent.judge) }),
    model_reported: last?.model_reported ?? null,
    system_fingerprint: last?.system_fingerprint ?? null,
    latency_ms: last?.latency_ms ?? null,
    ttft_ms: last?.ttft_ms ?? null,
    max_gap_ms: last?.max_gap_ms ?? null,
  }
}

function judgeSpent({ model, price }: PlannedJudge, { usage, calls, last }: Calls): JudgeSpent {
  return { model: model.slug, model_reported: last?.model_reported ?? null, usage, cost_usd: costUsd(usage, price), calls }
}

/** The message as records keep it: pictures by their hash. */
function withoutData(message: Message): Message {
  if (!message.pictures) return message
  return { ...message, pictures: message.pictures.map(({ data: _data, ...picture }) => picture) }
}
