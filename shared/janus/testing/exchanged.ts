import type { ExchangeEvidence, ExchangeTurn } from '../../contract/evidence/exchange.ts'
import type { StreamFacts } from '../../contract/stream.ts'

/** How an even answer came in: its first token after 300 ms, then ten chunks every 50 ms. */
export const evenStream: StreamFacts = {
  queue_ms: 0,
  connect_ms: null,
  first_byte_ms: 200,
  first_token_ms: 300,
  first_content_ms: 300,
  last_token_ms: 800,
  duration_ms: 820,
  chunks: 12,
  content_chunks: 11,
  token_chunks: 11,
  keep_alives: 0,
  max_gap_ms: 300,
  max_data_gap_ms: 300,
  max_token_gap_ms: 50,
  content: { span_ms: 500, mean_ms: 50, sd_ms: 0, least_ms: 50, most_ms: 50, long: 0 },
  end: 'done',
}

/** A turn with an even stream and 20 tokens read and 10 written. */
export function turnWith(text: string, more: Partial<ExchangeTurn> = {}): ExchangeTurn {
  return {
    text,
    reasoning_chars: 0,
    finish_reason: 'stop',
    tool_calls: [],
    usage: { input_tokens: 20, output_tokens: 10, cached_tokens: 0, reasoning_tokens: 0 },
    usage_known: true,
    latency_ms: 820,
    ttft_ms: 300,
    max_gap_ms: 300,
    stream: evenStream,
    ...more,
  }
}

/** An exchange of these turns, the last of which holds the answer. */
export function exchanged(turns: readonly ExchangeTurn[], more: Partial<ExchangeEvidence> = {}): ExchangeEvidence {
  const last = turns.at(-1)
  return {
    kind: 'exchange',
    text: last?.text ?? '',
    reasoning: null,
    finish_reason: last?.finish_reason ?? null,
    scoring_input: null,
    truncated_reasoning: false,
    turns: [...turns],
    pictures: [],
    code: null,
    judge: null,
    sandbox_ms: null,
    ...more,
  }
}

/** A call of a tool that was answered. */
export const calledTool = (name: string, given: object, result: string | null = 'done'): ExchangeTurn['tool_calls'][0] => ({
  id: 'call_1',
  name,
  arguments: JSON.stringify(given),
  result,
  is_error: false,
})
