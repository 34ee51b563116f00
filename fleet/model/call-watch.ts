import type { CallLimits } from '#shared/contract/limits.ts'
import type { CallFailure, ModelPulse } from '#shared/contract/pulse.ts'
import { Bag } from '../bag.ts'
import type { AdaptiveLimiter } from './adaptive-limiter.ts'
import type { ProviderFailure } from './provider-failure.ts'

type Track = {
  limits: CallLimits
  attempt: number
  stage: 'queued' | 'sent' | 'paused'
  since_ms: number
  until_ms: number
  started: boolean
}

/** What one trial's calls tell of themselves as they go; moments are of the clock the watch was made with. */
export type CallTrack = {
  queued(attempt: number): void
  sent(): void
  /** The first content, reasoning or tool call is there. */
  started(): void
  answered(): void
  failed(failure: ProviderFailure): void
  /** Another attempt follows after so many milliseconds. */
  paused(waitMs: number): void
  /** The trial asks no more, whatever came of it. */
  end(): void
}

/**
 * Sees the calls of a run to one model: how many are in flight or wait and for what, what failed last, and which call is nearest to its
 * limit. Nothing is kept beyond the calls themselves.
 */
export function createCallWatch(
  named: { provider: string; model: string },
  limiter: Pick<AdaptiveLimiter, 'snapshot'>,
  now: () => number = () => performance.now(),
) {
  const tracks = new Bag<Track>()
  let failed = 0
  let failure: CallFailure | null = null

  const begin = (limits: CallLimits): CallTrack => {
    const track: Track = { limits, attempt: 1, stage: 'queued', since_ms: now(), until_ms: 0, started: false }
    const end = tracks.add(track)
    return {
      queued(attempt) {
        track.attempt = attempt
        track.stage = 'queued'
      },
      sent() {
        track.stage = 'sent'
        track.since_ms = now()
        track.started = false
      },
      started() {
        track.started = true
      },
      answered() {
        failed = 0
        failure = null
      },
      failed({ reason, status, detail }) {
        failed++
        failure = { reason, status, detail: detail || null }
      },
      paused(waitMs) {
        track.stage = 'paused'
        track.until_ms = now() + waitMs
        track.attempt++
      },
      end,
    }
  }
  const pulse = (): ModelPulse => {
    const nowMs = now()
    const in_flight = tracks.values().filter((track) => track.stage === 'sent')
    return {
      ...named,
      in_flight: in_flight.length,
      waiting: tracks.size - in_flight.length,
      ...holdOf(tracks.values(), limiter.snapshot(), nowMs),
      failed,
      failure,
      slowest: slowestOf(in_flight, nowMs),
    }
  }
  return { begin, pulse }
}
export type CallWatch = ReturnType<typeof createCallWatch>

type Hold = Pick<ModelPulse, 'hold' | 'next_try_ms' | 'attempt' | 'attempts'>

/** Why trials wait, until when, and which attempt comes next: the provider's state goes before a trial's own pause. */
function holdOf(tracks: readonly Track[], { limiter, breaker }: ReturnType<AdaptiveLimiter['snapshot']>, nowMs: number): Hold {
  const queued = tracks.find((track) => track.stage === 'queued')
  const paused = tracks.filter((track) => track.stage === 'paused').sort((a, b) => a.until_ms - b.until_ms)[0]
  const next = queued ?? paused
  if (!next) return { hold: 'none', next_try_ms: null, attempt: null, attempts: null }
  const told = (hold: ModelPulse['hold'], at: number | null, track: Track): Hold => ({
    hold,
    next_try_ms: at === null ? null : Math.max(0, Math.round(at - nowMs)),
    attempt: track.attempt,
    attempts: track.limits.attempts,
  })
  if (breaker.state !== 'closed') return told('circuit', breaker.state === 'open' ? breaker.until_ms : null, next)
  if (queued && limiter.cool_until_ms > nowMs) return told('cool-down', limiter.cool_until_ms, queued)
  if (paused) return told('retry', paused.until_ms, paused)
  return told('pace', null, next)
}

/** The call that has used up most of its limit: of the one for the first token while none has come, then of the one for the whole. */
function slowestOf(tracks: readonly Track[], nowMs: number): ModelPulse['slowest'] {
  let worst: ModelPulse['slowest'] = null
  for (const { limits, since_ms, started } of tracks) {
    const first = !started && limits.first_token_ms < limits.total_ms
    const limit_ms = first ? limits.first_token_ms : limits.total_ms
    const elapsed_ms = Math.round(nowMs - since_ms)
    if (worst && elapsed_ms / limit_ms <= worst.elapsed_ms / worst.limit_ms) continue
    worst = { elapsed_ms, limit_ms, until: first ? 'first-token' : 'end' }
  }
  return worst
}
