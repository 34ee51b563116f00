import { expect, test } from 'vitest'
import { exampleSpec } from '#db/example-run.ts'
import task from '#shared/benchmarks/mmlu_pro/task.ts'
import type { Failure } from '#shared/contract/failure.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { noTables } from '#shared/scorers/tables.ts'
import type { Solver } from '#shared/solvers/port.ts'
import type { Coordinator } from './coordinator/port.ts'
import type { TrialModel } from './execute.ts'
import { createRunWorker } from './run-worker.ts'

const spec = exampleSpec()
const planned = { ...spec.benchmarks[0]!, profile: 'builtin' }
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

type Asked = { answer(): void; fail(failure: Failure): void; signal: AbortSignal }

/** A worker with a coordinator that hands out `count` trials and a model that answers when told. */
function start(count: number, slots: number, solver: Solver<'completion'> = task.solver('builtin', {})) {
  const leases: Lease[] = Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    attempt: 1,
    benchmark: planned.name,
    item_id: String(ordinal),
    epoch: 0,
  }))
  const asked: Asked[] = []
  const reported: TrialRecord[] = []
  const released: number[] = []
  const halted: (string | null)[] = []
  const model: TrialModel = {
    resetAt: () => '2026-01-02T00:00:00.000Z',
    generate: (_request, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        asked.push({ signal, answer: () => resolve({ ok: true, value: answer }), fail: (failure) => resolve({ ok: false, failure }) })
      }),
  }
  const coordinator: Coordinator = {
    spec,
    credential: null,
    claim: async (wanted) => leases.splice(0, wanted),
    report: (record) => void reported.push(record),
    backlog: () => 0,
    release: (returned) => void released.push(...returned.map((lease) => lease.ordinal)),
    halt: (_failure, until) => void halted.push(until),
    drained: async () => undefined,
    close: async () => undefined,
  }
  const worker = createRunWorker(
    async () => ({
      ok: true,
      value: {
        benchmarks: new Map([[planned.name, { planned, task, solver, judge: null, tables: noTables, item }]]),
        model,
        close: async () => undefined,
      },
    }),
    slots,
    () => undefined,
  )
  return { worker, coordinator, asked, reported, released, halted }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('[AGENT9] never more trials are in flight than the agent has slots or the run allows', async () => {
  const { worker, coordinator, asked, reported } = start(20, 4)
  await worker.start(coordinator)
  await settled()
  expect([asked.length, worker.running()]).toEqual([4, 4])
  worker.events.onState({ status: 'running', concurrency: 2, open: 10 })
  for (const each of asked.slice(0, 3)) each.answer()
  await settled()
  expect(worker.running()).toBe(2)
  expect(reported.map((record) => record.outcome)).toEqual(['right', 'right', 'right'])
  await worker.stop(0)
})

test("[RUN49] when the judge's provider refuses everything, what was answered is reported and the run is halted", async () => {
  const refusing = {
    ok: false as const,
    failure: { at: 'judge', reason: 'forbidden', retryable: false, status: 403, detail: '' } as Failure,
  }
  const { worker, coordinator, asked, reported, released, halted } = start(3, 1, async (item, params, ports) => {
    const answered = await ports.generate({ messages: item.messages, params })
    return answered.ok ? refusing : answered
  })
  await worker.start(coordinator)
  await settled()
  asked[0]!.answer()
  await settled()
  expect(reported.map((record) => [record.ordinal, record.failure?.at, record.calls])).toEqual([[0, 'judge', 0]])
  expect([halted.length, [...released].sort()]).toEqual([1, [1, 2]])
  await worker.stop(0)
})

test('[AGENT10] a failure that no other trial can escape halts the run, is not reported, and everything goes back', async () => {
  const { worker, coordinator, asked, reported, released, halted } = start(6, 2)
  await worker.start(coordinator)
  await settled()
  asked[0]!.fail({ at: 'provider', reason: 'payment-required', retryable: false, status: 402, detail: 'Quota used up.' })
  await settled()
  expect(halted).toEqual(['2026-01-02T00:00:00.000Z'])
  expect(reported).toEqual([])
  expect(released).toContain(0)
  asked[1]!.answer()
  await settled()
  expect(reported.map((record) => record.ordinal)).toEqual([1])
  expect([...released].sort()).toEqual([0, 2, 3, 4, 5])
  await worker.stop(0)
})

test('[AGENT11] a worker that stops gives back what it has not begun at once and what is in flight when its time is up', async () => {
  const { worker, coordinator, asked, released } = start(6, 2)
  await worker.start(coordinator)
  await settled()
  await worker.stop(1)
  expect([...released].sort()).toEqual([0, 1, 2, 3, 4, 5])
  expect(asked.every((each) => each.signal.aborted)).toBe(true)
})

test('[AGENT12] a trial that was given to another is aborted and not reported', async () => {
  const { worker, coordinator, asked, reported } = start(1, 2)
  await worker.start(coordinator)
  await settled()
  worker.events.onDrop([[0, 1]])
  await settled()
  expect(asked[0]!.signal.aborted).toBe(true)
  expect(reported).toEqual([])
  await worker.stop(0)
})
