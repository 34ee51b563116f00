import type { RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { TrialBrief } from '#shared/contract/trial.ts'

export type Connection = 'connecting' | 'live' | 'waiting' | 'ended'
/** `seq`: number of the event that brought the result. */
export type FeedRow = TrialBrief & { benchmark: string; at: string; seq: number }
export type Live = {
  head: RunHead
  connection: Connection
  /** Newest results first, at most `feedSize`. */
  feed: FeedRow[]
  /** Number of the last event whose results are in the feed; behind the head after a snapshot. */
  fed: number
  /** What the run's agents do, and when this page was told; null where nothing is known. */
  pulse: { pulse: RunPulse; at_ms: number } | null
  /** When the stream broke, in ms; null while it stands. What the page shows is as old as that. */
  lost_at_ms: number | null
  /** [moment in ms, trials done], oldest first, covering at least the last ten seconds. */
  samples: [number, number][]
}

/** How far back the rate looks, in milliseconds. */
export const windowMs = 10_000

/** A run as its page was rendered, before its stream has said anything. */
export function startLive(head: RunHead): Live {
  const connection = isTerminal(head.status) ? 'ended' : 'connecting'
  return { head, connection, feed: [], fed: head.seq, pulse: null, lost_at_ms: null, samples: [] }
}

/**
 * Trials per second over the last ten seconds, or null before a second has been seen. When no event came for long, the
 * rate falls towards zero rather than standing still.
 */
export function throughput(samples: Live['samples'], nowMs: number): number | null {
  const last = samples.at(-1)
  if (!last) return null
  const fromMs = Math.max(samples[0]![0], nowMs - windowMs)
  if (nowMs - fromMs < 1000) return null
  let before = samples[0]!
  for (const sample of samples) if (sample[0] <= fromMs) before = sample
  return Math.max(0, last[1] - before[1]) / ((nowMs - fromMs) / 1000)
}

/** Milliseconds until a run is done at the present rate; null while nothing moves. */
export function remainingMs(head: Pick<RunHead, 'total' | 'done'>, perSecond: number | null): number | null {
  if (head.total === head.done) return 0
  return perSecond ? ((head.total - head.done) / perSecond) * 1000 : null
}

/** Wait before the n-th reconnect in a row (from 0), in milliseconds: doubling from half a second to 15 s, spread by ±30 %. */
export function backOffMs(failures: number, random: number): number {
  return Math.min(15_000, 500 * 2 ** failures) * (0.7 + 0.6 * random)
}
