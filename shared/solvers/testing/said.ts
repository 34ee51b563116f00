import type { Completion } from '../kit.ts'

/** What a model said, complete, with the least besides. */
export function said(text: string, reasoning: string | null = null): Completion {
  return {
    text,
    reasoning,
    finish_reason: 'stop',
    usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 },
    usage_known: true,
    latency_ms: 1,
    ttft_ms: null,
    max_gap_ms: null,
    model_reported: null,
    system_fingerprint: null,
  }
}
