import type { JanusResult } from '#shared/janus/result.ts'

type Given = Record<string, { score: number; metrics?: { avg_ttft_ms: number; avg_tps: number; continuity_score: number } }>

/** One result for each benchmark, whose averages are then those that are given. */
export function fakeResults(given: Given): JanusResult[] {
  return Object.entries(given).map(([benchmark, { score, metrics }]) => ({
    benchmark,
    subtype: '',
    failed: false,
    answered: true,
    scores: { quality: score, speed: 0, cost: score, streaming: score, multimodal: score, judge: null, flags: [] },
    stream: {
      ttft_s: (metrics?.avg_ttft_ms ?? 0) / 1000,
      first_token_received: metrics !== undefined,
      max_gap_s: 0,
      max_gap_after_first_s: null,
      chunks: 0,
      duration_s: 0,
      tps: metrics?.avg_tps ?? null,
      tokens: 0,
      continuity: metrics?.continuity_score ?? null,
      broken: false,
    },
    tokens_per_second: null,
    latency_s: 0,
    tokens: null,
  }))
}
