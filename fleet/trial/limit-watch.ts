import type { LimitHit, TrialLimits } from '#shared/contract/trial-limits.ts'
import { costUsd, noUsage, type Price, type Usage } from '#shared/contract/usage.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { Spending } from './spending.ts'

export type LimitWatch = {
  /** The first limit that was met, for good; null while there is room for another turn. */
  hit(): LimitHit | null
  /** Another request to the tested model begins. */
  turn(): void
  /** Stops the trial's time until what it gives is called: waiting for its turn at what others share is not its own. */
  pause(): () => void
  /** Aborts when the trial's time is up; null where nothing bounds it. */
  signal: AbortSignal | null
  close(): void
}

/**
 * Watches how far a trial has gone. Turns, tokens and dollars are counted when a request would begin, so that a trial may go beyond the last two
 * by what one answer takes; the time ends a request that is under way. The dollars bind only where the price is known; a call whose tokens were not
 * told counts as `longest`, the most that one call may take.
 */
export function watchLimits(
  limits: TrialLimits,
  price: Price | null,
  spending: Spending,
  clock: Clock,
  longest: Usage = noUsage,
): LimitWatch {
  let turns = 0
  let met: LimitHit | null = null
  const { seconds } = limits
  const ended = seconds === null ? null : new AbortController() // few trials have one, and it costs more than all else here
  let leftMs = (seconds ?? 0) * 1000
  let sinceMs = 0
  let pauses = 0
  let closed = false
  let stop = (): void => undefined
  const run = (): void => {
    if (seconds === null) return
    sinceMs = clock.now()
    stop = clock.after(leftMs, () => {
      met ??= { limit: 'seconds', most: seconds }
      ended?.abort(new TimeLimit())
    })
  }
  run()
  const untold = ({ untold_calls = 0, ...told }: Usage): Usage => ({
    ...told,
    input_tokens: told.input_tokens + untold_calls * longest.input_tokens,
    output_tokens: told.output_tokens + untold_calls * longest.output_tokens,
  })
  const reached = (limit: LimitHit['limit'], most: number | null, value: number | null): LimitHit | null =>
    most !== null && value !== null && value >= most ? { limit, most } : null
  return {
    hit() {
      const { usage } = spending.of('model')
      met ??=
        reached('turns', limits.turns, turns) ??
        reached('tokens', limits.tokens, usage.input_tokens + usage.output_tokens) ??
        reached('usd', limits.usd, costUsd(untold(usage), price))
      return met
    },
    turn: () => void turns++,
    pause() {
      if (pauses++ === 0) {
        stop()
        leftMs -= clock.now() - sinceMs
      }
      return () => {
        if (--pauses === 0 && !closed) run()
      }
    },
    signal: ended?.signal ?? null,
    close() {
      closed = true
      stop()
    },
  }
}

/** The trial's time is up. */
class TimeLimit extends Error {}
