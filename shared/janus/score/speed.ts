import { ramp } from './ramp.ts'

const targets = { latency_s: 8, ttft_s: 2, tps: 10 }

/** Tokens in a second against ten: 1 from there on, 0 for none. */
const tpsScore = (tps: number): number => (tps <= 0 ? 0 : Math.min(1, tps / targets.tps))

/**
 * How fast an answer came: the mean of time to the first token (target 2 s) and tokens in a second (target 10), the other where one is unknown, and the
 * latency (target 8 s) where both are. Null means unknown.
 */
export function speedScore(latency_s: number, ttft_s: number | null, tps: number | null): number {
  if (ttft_s === null && tps === null) return ramp(latency_s, targets.latency_s)
  if (ttft_s === null) return tpsScore(tps!)
  if (tps === null) return ramp(ttft_s, targets.ttft_s)
  return 0.5 * ramp(ttft_s, targets.ttft_s) + 0.5 * tpsScore(tps)
}
