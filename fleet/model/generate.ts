import type { Outcome, ProviderReason } from '#shared/contract/failure.ts'
import type { Usage } from '#shared/contract/usage.ts'
import type { Completion } from '#shared/solvers/port.ts'
import type { AdaptiveLimiter, CallEnd, Permit } from './adaptive-limiter.ts'
import { CallAborted, type CallResult } from './call-result.ts'
import type { ModelClient } from './model-client.ts'
import { type ProviderFailure, providerFailure } from './provider-failure.ts'
import type { ModelRequest } from './request-body.ts'
import { defaultRetryPolicy, nextStep, type RetryPolicy } from './retry.ts'

/** One request that was sent, whatever came of it. `usage` is null where the provider told none: unknown, not zero. */
export type ModelCall = {
  attempt: number
  result: 'answer' | 'canceled' | ProviderReason
  usage: Usage | null
  latency_ms: number
  /** Only for `payment-required`: when the quota is filled again, if the provider says. */
  reset_at: string | null
}

export type RetryClock = { now(): number; wait(ms: number, signal: AbortSignal | null): Promise<void>; random(): number }

export type GenerateOptions = {
  client: ModelClient
  limiter: AdaptiveLimiter
  onCall: (call: ModelCall) => void
  signal: AbortSignal | null
  clock?: RetryClock
  policy?: RetryPolicy
}

/**
 * The `generate` port of a trial: calls behind the limiter, repeats what is worth repeating, and reports every call sent through
 * `onCall`, so that usage of failed attempts is counted too. Rejects with the signal's reason when the trial is dropped.
 */
export function createGenerate(options: GenerateOptions): (request: ModelRequest) => Promise<Outcome<Completion>> {
  const { limiter, signal, onCall, clock = retryClock, policy = defaultRetryPolicy } = options
  return async (request) => {
    const fromMs = clock.now()
    for (let attempt = 1; ; attempt += 1) {
      const permit = await limiter.acquire(signal, Math.max(0, policy.total_ms - (clock.now() - fromMs)))
      if (permit === 'circuit-open') return { ok: false, failure: circuitOpen }
      const result = await callOnce(options, request, permit, clock, (call) => onCall({ attempt, ...call }))
      if (result.ok) return { ok: true, value: result.value }
      const step = nextStep(result.failure, attempt, clock.now() - fromMs, result.retry_after_ms, clock.random(), policy)
      if (step.type === 'give-up') return { ok: false, failure: result.failure }
      await clock.wait(step.wait_ms, signal)
    }
  }
}

const circuitOpen: ProviderFailure = providerFailure('circuit-open', 'the provider keeps failing; nothing was sent', null)

async function callOnce(
  { client, limiter, signal }: GenerateOptions,
  request: ModelRequest,
  permit: Permit,
  clock: RetryClock,
  report: (call: Omit<ModelCall, 'attempt'>) => void,
): Promise<CallResult> {
  const sentMs = clock.now()
  let end: CallEnd = { reason: null, retry_after_ms: null, canceled: true }
  try {
    const result = await client.call(request, signal)
    const latency_ms = clock.now() - sentMs
    if (result.ok) {
      end = { reason: null, retry_after_ms: null, canceled: false }
      report({ result: 'answer', usage: result.value.usage_known ? result.value.usage : null, latency_ms, reset_at: null })
    } else {
      const { reason } = result.failure
      end = { reason, retry_after_ms: result.retry_after_ms, canceled: false }
      report({ result: reason, usage: result.usage, latency_ms, reset_at: result.reset_at })
    }
    return result
  } catch (error) {
    if (!(error instanceof CallAborted)) throw error
    report({ result: 'canceled', usage: error.usage, latency_ms: clock.now() - sentMs, reset_at: null })
    throw error.cause
  } finally {
    limiter.release(permit, end)
  }
}

/** The process's own clock, timers and randomness. */
export const retryClock: RetryClock = {
  now: () => performance.now(),
  random: Math.random,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
