import type { Version } from './phrases.ts'
import { ramp } from './ramp.ts'

/** How an answer came in, in the terms of the official report. Null where it is unknown or never was. */
export type StreamMetrics = {
  /** The whole latency where no token came. */
  ttft_s: number
  first_token_received: boolean
  max_gap_s: number
  /** The longest silence after the first token. */
  max_gap_after_first_s: number | null
  chunks: number
  duration_s: number
  /** `v1`: chunks with content in a second; `v2`: tokens in a second, as the provider counted them. */
  tps: number | null
  /** `v1`: chunks with content; `v2`: tokens of the answer. */
  tokens: number
  continuity: number | null
  /** Broken off, or silent until it was given up. */
  broken: boolean
}

export type StreamTargets = {
  ttft_target_ms?: number
  tps_target?: number
  continuity_target?: number
  min_tokens?: number
  check_reasoning_content?: boolean
}

function ttftStep(metrics: StreamMetrics, target: number): number {
  if (!metrics.first_token_received) return 0
  const ms = Math.trunc(metrics.ttft_s * 1000)
  return ms <= target ? 1 : ms <= target * 2 ? 0.7 : ms <= target * 3 ? 0.4 : 0.1
}

function tpsStep(tps: number, target: number): number {
  if (target <= 0) return 0
  if (tps >= target) return 1
  return tps >= target * 0.5 ? 0.7 : Math.max(0.1, tps / target)
}

/**
 * A stream against the targets of its item: time to the first token (weight 0.30; 1 within the target, 0.7 within two, 0.4 within three, else 0.1, 0 for none),
 * rate (0.30; 0.7 from half the target on), continuity (0.25) and length (0.15), each 1 from its target on. Reasoning that was expected and came adds a 1
 * with weight 0.05. `v2`: a stream that broke or brought no token scores 0, and a continuity that cannot be told has no weight.
 */
export function streamScore(metrics: StreamMetrics, targets: StreamTargets, reasoned: boolean, version: Version): number {
  if (version === 'v2' && (metrics.broken || !metrics.first_token_received)) return 0
  const { ttft_target_ms = 1000, tps_target = 10, continuity_target = 0.5, min_tokens = 10 } = targets
  const continuity = metrics.continuity ?? 0
  const parts: [score: number, weight: number][] = [
    [ttftStep(metrics, ttft_target_ms), 0.3],
    [tpsStep(metrics.tps ?? 0, tps_target), 0.3],
  ]
  const told = version === 'v1' || metrics.continuity !== null
  if (told) parts.push([continuity_target <= 0 ? 0 : continuity >= continuity_target ? 1 : continuity / continuity_target, 0.25])
  parts.push([min_tokens <= 0 || metrics.tokens >= min_tokens ? 1 : metrics.tokens / min_tokens, 0.15])
  if (reasoned) parts.push([1, 0.05])
  const weights = parts.reduce((sum, [, weight]) => sum + weight, 0)
  return parts.reduce((sum, [score, weight]) => sum + score * weight, 0) / weights
}

/** A stream without targets: half time to the first token, four tenths its longest silence (both against 2 s), a tenth its number of chunks. */
export function plainStreamScore({ ttft_s, max_gap_s, chunks }: Pick<StreamMetrics, 'ttft_s' | 'max_gap_s' | 'chunks'>): number {
  const many = chunks >= 10 ? 1 : chunks >= 5 ? 0.8 : chunks >= 2 ? 0.5 : 0.2
  return 0.5 * ramp(ttft_s, 2, 0.2) + 0.4 * ramp(max_gap_s, 2, 0.2) + 0.1 * many
}
