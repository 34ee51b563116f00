import { mapRoles, rolesOf } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { noUsage, untoldUsage } from '#shared/contract/usage.ts'
import type { Clock } from '#shared/run/clock.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import type { Solver } from '#shared/solvers/kit.ts'
import { type AdaptiveLimiter, createKeyLimiter, type KeyLimiter } from '../../fleet/model/adaptive-limiter.ts'
import { CallAborted, type CallResult } from '../../fleet/model/call-result.ts'
import { createGenerate } from '../../fleet/model/generate.ts'
import type { ModelClient } from '../../fleet/model/model-client.ts'
import type { RateGate } from '../../fleet/model/rate-gate.ts'
import type { Equip } from '../../fleet/run-worker.ts'
import type { OpenedBenchmark } from '../../fleet/trial/execute-trial.ts'
import { noResources } from '../../fleet/trial/resources.ts'
import type { TrialModel } from '../../fleet/trial/trial-model.ts'
import type { Execution, Ledger } from './ledger.ts'
import type { Random } from './random.ts'

/** How the provider is: how long it takes, whether it fails now. */
export type ProviderWeather = { latencyMs(): number; failing(): boolean; dooms(): boolean; equipMs(): number }

type World = {
  agent: string
  slots: number
  clock: Clock
  ledger: Ledger
  random: Random
  weather: ProviderWeather
  ordinalOf(benchmark: string, item_id: string, epoch: number): number
  /** A request reaches the provider, and has its end there. */
  onCall(execution: Execution): () => void
  /** An agent is at work on a trial, until what is given back is called. */
  onWork(execution: Execution): () => void
}

const failed = { at: 'provider', reason: 'server-error', retryable: true, status: 500, detail: '' } as const

const executionOf = (ledger: Ledger, text: unknown): Execution => ledger.executions[Number(/\d+$/.exec(String(text))![0])]!

/** The provider's side of one model: answers after its time, books what it took, also of calls that are given up on the way. */
function clientOf({ clock, ledger, weather, onCall }: World, judge: boolean): ModelClient {
  const call = (text: string, signal: AbortSignal | null): Promise<CallResult> =>
    new Promise((resolve, reject) => {
      const execution = executionOf(ledger, text)
      const ended = onCall(execution)
      const usage = ledger.price()
      const failing = execution.doomed || weather.failing()
      const fullMs = weather.latencyMs()
      if (!failing) ledger.bill(execution, usage, judge) // whoever gives it up later has begun it all the same
      const giveUp = (): void => {
        cancel()
        ended()
        reject(new CallAborted(failing ? noUsage : usage, signal?.reason))
      }
      const cancel = clock.after(fullMs, () => {
        signal?.removeEventListener('abort', giveUp)
        ended()
        if (failing) return resolve({ ok: false, failure: failed, retry_after_ms: null, reset_at: null, usage: noUsage })
        const answer = { text: ledger.answer(execution.ordinal), reasoning: null, finish_reason: 'stop', usage, usage_known: true }
        const times = { latency_ms: fullMs, ttft_ms: 1, max_gap_ms: 1, model_reported: null, system_fingerprint: null }
        resolve({ ok: true, value: { ...answer, ...times, tool_calls: [], streamed: true } })
      })
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  return { call: (request, signal) => call(request.messages[0]!.content as string, signal), close: async () => undefined }
}

/** The agent's own model over that provider: its limiter and its retries. */
function modelOf(world: World, limiter: AdaptiveLimiter, judge: boolean): TrialModel {
  const { clock, random } = world
  const client = clientOf(world, judge)
  const wait = (ms: number, signal: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const cancel = clock.after(ms, resolve)
      signal?.addEventListener('abort', () => {
        cancel()
        reject(signal.reason)
      })
    })
  const time = { now: clock.now, wait, random: random.next }
  return {
    resetAt: () => null,
    generate: (request, signal, onCall, limits) =>
      createGenerate({ client, limiter, signal, limits, clock: time, onCall: (call) => onCall(call.usage ?? untoldUsage) })(request),
  }
}

/** Asks the model once, and the judge where the benchmark was planned with one. */
const solver: Solver<'completion'> = async (item, kit) => {
  const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
  if (!answered.ok || !kit.helpers.judge) return answered
  const judged = await kit.ask('judge', { messages: item.messages })
  return judged.ok ? answered : judged
}

const task: OpenedBenchmark['task'] = {
  score(_item, evidence) {
    const right = evidence.text === 'right'
    const told = { answer: evidence.text, explanation: '', flags: [], detail: {} }
    return { value: right ? 1 : 0, outcome: right ? 'right' : 'wrong', ...told }
  },
}

/** Makes a run of the simulator ready. Every item that is opened is an execution in the ledger, by which its requests are known. */
export function equipWith(world: World, gateOf: (provider: string) => RateGate): Equip {
  const { agent, slots, clock, ledger, weather, ordinalOf, onWork } = world
  const watched: typeof solver = async (item, kit) => {
    const ended = onWork(executionOf(ledger, item.messages[0]!.content))
    return solver(item, kit).finally(ended)
  }
  let limiter: KeyLimiter | undefined
  return async (spec) => {
    limiter ??= createKeyLimiter({ max: slots, clock, rate: gateOf('demo') })
    await new Promise<void>((resolve) => clock.after(weather.equipMs(), resolve))
    const judge = modelOf(world, limiter.lane('judge'), true)
    const opened = (planned: PlannedBenchmark): OpenedBenchmark => ({
      ...{ planned, task, solver: watched, tables: noTables, helpers: mapRoles(rolesOf(planned), () => judge) },
      item(index, epoch) {
        const { id } = ledger.begin(agent, ordinalOf(planned.name, String(index), epoch), weather.dooms())
        const messages = [{ role: 'user' as const, content: `trial ${id}` }]
        return { item_id: String(index), source_id: null, item_hash: 'h', group: null, target: 'right', metadata: {}, messages }
      },
    })
    const benchmarks = new Map(spec.benchmarks.map((planned) => [planned.name as string, opened(planned)]))
    return {
      ok: true,
      value: {
        benchmarks,
        model: modelOf(world, limiter.lane('model'), false),
        resources: { ...noResources, clock },
        close: async () => undefined,
      },
    }
  }
}
