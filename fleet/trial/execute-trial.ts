import type { OpenedTask, Task } from '#shared/benchmarks/task.ts'
import { BadRecord } from '#shared/benchmarks/task.ts'
import type { Evidence, EvidenceKind } from '#shared/contract/evidence/evidence.ts'
import { type Failure, isHalting, type Outcome } from '#shared/contract/failure.ts'
import type { Item, Score } from '#shared/contract/item.ts'
import { type HelperRole, helperRoles } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import type { Price } from '#shared/contract/usage.ts'
import { TableMissing, type Tables } from '#shared/scorers/tables.ts'
import type { Solver } from '#shared/solvers/kit.ts'
import { createKit } from './create-kit.ts'
import { fitRecord } from './fit-record.ts'
import { noResources, type TrialResources } from './resources.ts'
import { emptyRecord, keptTranscript, spentRecord } from './to-record.ts'
import type { ModelOfTrial, TrialModel } from './trial-model.ts'

/** A benchmark of a run with its data opened, and a client for each helper it was planned with. */
export type OpenedBenchmark = {
  planned: PlannedBenchmark
  task: Scoring
  solver: Solver<EvidenceKind>
  helpers: Partial<Record<HelperRole, TrialModel>>
  tables: Tables
  item(index: number, epoch: number): Item | Promise<Item>
  hidden?: OpenedTask['hidden'] | undefined
  images?: OpenedTask['images'] | undefined
}

/** The scorer of a task, at once or on a thread. */
export type Scoring = { score(...given: Parameters<Task['score']>): Score | Promise<Score> }

/** A reason for which no trial of this run can succeed now, and until when, where the provider said it. */
export type Halt = { failure: Failure; until: string | null }

/**
 * What came of a lease: a record to report, or a reason to stop the run, or both: when a helper's provider refuses, the answer has been
 * paid for already and is on the record. The record of a trial that only stops the run is no result: it says what the trial took until then.
 */
export type Executed = { type: 'record'; record: TrialRecord; halt: Halt | null } | { type: 'halt'; record: TrialRecord; halt: Halt }

/** Runs one trial: render, solve, score. Every failure is attributed here, once, to the seam where it happened. Never throws. */
export async function executeTrial(
  lease: Lease,
  benchmark: OpenedBenchmark,
  tested: TrialModel | ModelOfTrial,
  price: Price | null,
  signal: AbortSignal,
  resources: TrialResources = noResources,
): Promise<Executed> {
  const { planned, helpers } = benchmark
  const index = Number(lease.item_id)
  const item = await seam(() => benchmark.item(index, lease.epoch), unreadable)
  if (!item.ok) return { type: 'record', record: emptyRecord(lease, planned, price, item.failure), halt: null }

  const { item_id, epoch } = lease
  const asIt = { benchmark: planned.name, item_id, source_id: item.value.source_id, epoch }
  const handed = resources.handedOver?.(asIt, signal)
  if (handed === null) return { type: 'record', record: emptyRecord(lease, planned, price, nothingHandedOver(item.value)), halt: null }
  const model = typeof tested === 'function' ? tested(asIt) : tested
  const hidden = async () => seam(() => benchmark.hidden?.(index) ?? null, unreadable)
  const open = createKit({
    lease,
    planned,
    model,
    helpers,
    price,
    signal,
    resources,
    first: item.value.messages,
    hidden,
    handedOver: handed,
  })
  const solved = await benchmark.solver(item.value, open.kit).catch((error: unknown) => failed(broken('solver', 'error', error)))
  await open.close()?.catch(() => undefined) // What cannot be taken down is the janitor's; the trial has ended.
  const told = await keptTranscript(open) // The store may let itself be waited for: a sandbox does not wait with it.
  const recordOf = (scored: Outcome<Score>, evidence: Evidence | null): TrialRecord | Promise<TrialRecord> =>
    fitRecord(
      spentRecord(lease, planned, item.value, open, price, scored, evidence, told, resources.measuredBy, resources.contextLength()),
      open.kit.keep,
    )
  if (solved.ok) {
    const scored = await scoreOf(benchmark, item.value, solved.value)
    return { type: 'record', record: await recordOf(scored, solved.value), halt: null }
  }
  const halt = haltOf(solved.failure, model, helpers)
  const record = await recordOf(solved, null)
  return halt && solved.failure.at === 'provider' ? { type: 'halt', record, halt } : { type: 'record', record, halt }
}

function nothingHandedOver({ item_id, source_id }: Item): Failure {
  const detail = `The run whose episodes are graded again has none of ${source_id ?? item_id} in this epoch that was graded then: there is nothing to grade.`
  return { at: 'replay', reason: 'no-answer', retryable: false, status: null, detail: detail.slice(0, 2000) }
}

const unreadable = (error: unknown): Failure => broken('dataset', error instanceof BadRecord ? 'bad-record' : 'unavailable', error)

function scoreOf({ planned, task, tables }: OpenedBenchmark, item: Item, evidence: Evidence): Outcome<Score> | Promise<Outcome<Score>> {
  return seam(
    () => task.score(item, evidence, planned.profile, tables),
    (error) => broken('scorer', error instanceof TableMissing ? 'resource-missing' : 'error', error),
  )
}

function haltOf(failure: Failure, model: TrialModel, helpers: OpenedBenchmark['helpers']): Halt | null {
  if (!isHalting(failure)) return null
  const role = helperRoles.find((one) => one === failure.at)
  return { failure, until: (role ? helpers[role] : model)?.resetAt() ?? null }
}

/** At once where the work is done at once. */
function seam<T>(work: () => T | Promise<T>, toFailure: (error: unknown) => Failure): Outcome<T> | Promise<Outcome<T>> {
  const refused = (error: unknown) => failed(toFailure(error))
  try {
    const done = work()
    return done instanceof Promise ? done.then((value) => ({ ok: true as const, value }), refused) : { ok: true, value: done }
  } catch (error) {
    return refused(error)
  }
}

const failed = (failure: Failure) => ({ ok: false as const, failure })

function broken(at: 'dataset' | 'solver' | 'scorer', reason: string, error: unknown): Failure {
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, 2000)
  return { at, reason, retryable: false, status: null, detail } as Failure // each call names a reason of its own place
}
