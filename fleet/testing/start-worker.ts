import { exampleSpec } from '#db/example-run.ts'
import task from '#shared/benchmarks/mmlu_pro/task.ts'
import type { Failure } from '#shared/contract/failure.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import { noUsage, type Usage } from '#shared/contract/usage.ts'
import type { Clock } from '#shared/run/clock.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { createGrowingRedactor } from '#shared/secrets/growing-redactor.ts'
import type { Solver } from '#shared/solvers/kit.ts'
import type { Coordinator } from '../coordinator/port.ts'
import { openReading } from '../model/answer-reading.ts'
import { createRunWorker, type RunEquipment } from '../run-worker.ts'
import type { TrialModel } from '../trial/trial-model.ts'

const spec = exampleSpec()
export const planned = { ...spec.benchmarks[0]!, profile: 'builtin' }
const item = () => ({
  item_id: '0',
  source_id: null,
  item_hash: 'h',
  group: 'math',
  target: 'A',
  metadata: { options: ['1', '2'] },
  messages: [{ role: 'user' as const, content: 'q' }],
})
const answer = {
  text: 'The answer is (A).',
  reasoning: null,
  finish_reason: 'stop',
  usage: noUsage,
  usage_known: true,
  latency_ms: 1,
  ttft_ms: 1,
  max_gap_ms: 1,
  model_reported: null,
  system_fingerprint: null,
}

type Asked = { says(text: string): void; used(usage: Usage): void; answer(): void; fail(failure: Failure): void; signal: AbortSignal }

/** A worker with a coordinator that hands out `count` trials and a model that answers when told. */
export function startWorker(
  count: number,
  slots: number,
  solver: Solver<'completion'> = task.solver('builtin', {}),
  clock?: Clock,
  preflight?: RunEquipment['preflight'],
  ahead?: RunEquipment['ahead'],
) {
  const leases: Lease[] = Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    attempt: 1,
    benchmark: planned.name,
    item_id: String(ordinal),
    epoch: 0,
  }))
  const asked: Asked[] = []
  const reported: TrialRecord[] = []
  const givenUp: TrialRecord[] = []
  const released: number[] = []
  const halted: (string | null)[] = []
  const claims: number[] = []
  const ended: string[] = []
  const backlog = { size: 0 }
  let closed = 0
  const model: TrialModel = {
    resetAt: () => '2026-01-02T00:00:00.000Z',
    generate: (_request, signal, onCall, _limits, _place, onAnswer) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        const soFar = { text: '', reasoning: null }
        const growing = createGrowingRedactor([])
        onAnswer?.(() => openReading(() => soFar, growing))
        asked.push({
          signal,
          says: (text) => void Object.assign(soFar, { text }),
          used: onCall,
          answer: () => resolve({ ok: true, value: answer }),
          fail: (failure) => resolve({ ok: false, failure }),
        })
      }),
  }
  const coordinator: Coordinator = {
    spec,
    credential: () => null,
    claim: async (wanted) => {
      claims.push(wanted)
      return leases.splice(0, wanted)
    },
    report: (record) => void reported.push(record),
    giveUp: (record) => void givenUp.push(record),
    backlog: () => backlog.size,
    release: (returned) => void released.push(...returned.map((lease) => lease.ordinal)),
    halt: (_failure, until) => void halted.push(until),
    preflight: () => undefined,
    drained: async () => undefined,
    pulse_ms: null,
    tell: () => undefined,
    close: async () => void closed++,
  }
  const worker = createRunWorker(
    async () => ({
      ok: true,
      value: {
        benchmarks: new Map([[planned.name, { planned, task, solver, helpers: {}, tables: noTables, item }]]),
        model,
        ...(preflight && { preflight }),
        ...(ahead && { ahead }),
        close: async () => void closed++,
      },
    }),
    slots,
    (reason) => void ended.push(reason),
    clock,
  )
  return { worker, coordinator, leases, asked, reported, givenUp, released, halted, claims, ended, backlog, closed: () => closed }
}

/** Lets everything that waits for nothing go on. */
export const settled = () => new Promise((resolve) => setImmediate(resolve))
