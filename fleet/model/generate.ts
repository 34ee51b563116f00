import type { Outcome, ProviderReason } from '#shared/contract/failure.ts'
import { type CallLimits, defaultLimits } from '#shared/contract/limits.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import type { Usage } from '#shared/contract/usage.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import type { AdaptiveLimiter, CallEnd, Permit } from './adaptive-limiter.ts'
import type { ReadAnswer } from './answer-reading.ts'
import { CallAborted, type CallResult, type ModelTimeouts, timeoutsOf } from './call-result.ts'
import type { CallTrack, CallWatch } from './call-watch.ts'
import type { ModelClient } from './model-client.ts'
import { type ProviderFailure, providerFailure } from './provider-failure.ts'
import type { ModelRequest } from './request-body.ts'
import { nextStep, ranOut, retryPolicy } from './retry.ts'
import { toldUsage } from './told-usage.ts'

/**
 * One request that was sent, whatever came of it. `usage` is null where the provider told none although it may have been at work: unknown, not zero.
 * A request that was refused took nothing.
 */
export type ModelCall = {
  attempt: number
  result: 'answer' | 'canceled' | ProviderReason
  usage: Usage | null
  latency_ms: number
  /** Until the first token; null where none came. */
  ttft_ms: number | null
  /** Only for `payment-required`: when the quota is filled again, if the provider says. */
  reset_at: string | null
  /** How its answer came in, as far as it came; absent where none was begun. */
  stream?: StreamFacts | undefined
}

export type RetryClock = { now(): number; wait(ms: number, signal: AbortSignal | null): Promise<void>; random(): number }

export type GenerateOptions = {
  client: ModelClient
  limiter: AdaptiveLimiter
  onCall: (call: ModelCall) => void
  signal: AbortSignal | null
  clock?: RetryClock
  limits?: CallLimits
  /** Where a request waits for its turn among all that the agent sends; what it gives is called when the request has ended. */
  place?: ((signal: AbortSignal | null) => (() => void) | Promise<() => void>) | undefined
  /** Sees every call as it goes. */
  watch?: CallWatch | null
  /** Gets each answer that begins to come; one that is asked for again begins anew. */
  onAnswer?: ((read: ReadAnswer) => void) | undefined
}

/**
 * The `generate` port of a trial: calls behind the limiter, repeats what is worth repeating, and reports every call sent through
 * `onCall`, so that usage of failed attempts is counted too. Rejects with the signal's reason when the trial is dropped.
 */
export function createGenerate(options: GenerateOptions): (request: ModelRequest) => Promise<Outcome<Completion>> {
  const { limiter, signal, clock = retryClock, limits = defaultLimits } = options
  const policy = retryPolicy(limits)
  const timeouts = timeoutsOf(limits)
  const ask = async (request: ModelRequest, track: CallTrack | undefined): Promise<Outcome<Completion>> => {
    const fromMs = clock.now()
    let ranOutOfTime = 0
    let untold = 0
    for (let attempt = 1; ; attempt += 1) {
      track?.queued(attempt)
      const queuedMs = clock.now()
      const permit = await limiter.acquire(signal, Math.max(0, policy.patience_ms - (clock.now() - fromMs)))
      if (permit === 'circuit-open') return { ok: false, failure: circuitOpen }
      const result = await callOnce(options, request, permit, { attempt, timeouts, clock, track, queuedMs })
      if (result.ok) return { ok: true, value: result.value }
      if (ranOut(result.failure)) ranOutOfTime++
      if (result.usage === null) untold++
      const soFar = { attempts: attempt, timeouts: ranOutOfTime, untold }
      const step = nextStep(result.failure, soFar, clock.now() - fromMs, result.retry_after_ms, clock.random(), policy)
      if (step.type === 'give-up') return { ok: false, failure: result.failure }
      track?.paused(step.wait_ms)
      await clock.wait(step.wait_ms, signal)
    }
  }
  return async (request) => {
    const track = options.watch?.begin(limits)
    try {
      return await ask(request, track)
    } finally {
      track?.end()
    }
  }
}

const circuitOpen: ProviderFailure = providerFailure('circuit-open', 'the provider keeps failing; nothing was sent', null)

type OneCall = { attempt: number; timeouts: ModelTimeouts; clock: RetryClock; track: CallTrack | undefined; queuedMs: number }

async function callOnce(
  { client, limiter, signal, place, onAnswer, onCall }: GenerateOptions,
  request: ModelRequest,
  permit: Permit,
  { attempt, timeouts, clock, track, queuedMs }: OneCall,
): Promise<CallResult> {
  let sentMs = clock.now()
  let leave: (() => void) | undefined
  let end: CallEnd = { reason: null, retry_after_ms: null, canceled: true }
  try {
    const room = place?.(signal)
    leave = room instanceof Promise ? await room : room
    sentMs = clock.now()
    track?.sent()
    const result = await client.call(request, signal, { timeouts, onStarted: track?.started, onAnswer, waitedMs: sentMs - queuedMs })
    const latency_ms = clock.now() - sentMs
    if (result.ok) {
      end = { reason: null, retry_after_ms: null, canceled: false }
      track?.answered()
      const { ttft_ms, stream } = result.value
      onCall({ attempt, result: 'answer', usage: toldUsage(result.value), latency_ms, ttft_ms, reset_at: null, stream })
    } else {
      const { reason } = result.failure
      track?.failed(result.failure)
      end = { reason, retry_after_ms: result.retry_after_ms, canceled: false }
      const { usage, reset_at, stream } = result
      onCall({ attempt, result: reason, usage, latency_ms, ttft_ms: null, reset_at, stream })
    }
    return result
  } catch (error) {
    if (!(error instanceof CallAborted)) throw error
    onCall({ attempt, result: 'canceled', usage: error.usage, latency_ms: clock.now() - sentMs, ttft_ms: null, reset_at: null })
    throw error.cause
  } finally {
    leave?.()
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
