import type { ProviderReason } from '#shared/contract/failure.ts'

/** The meaning of a finish reason: an ended or cut answer under OpenAI's name for it, or a failure. */
export type FinishMeaning = { as: 'stop' | 'length' | 'tool_calls' } | { fails: ProviderReason }

/**
 * Finish reasons of servers by family. Case and separators do not matter (`MAX_TOKENS`, `maxTokens`), nor does the prefix `FinishReason`. A reason
 * that is in no family ends an answer and keeps its spelling.
 */
export const finishFamilies: readonly { means: FinishMeaning; reasons: readonly string[] }[] = [
  {
    means: { as: 'stop' },
    reasons: [
      'stop',
      'end_turn',
      'stop_sequence',
      'eos',
      'eos_token',
      'eos_found',
      'stop_string_found',
      'complete',
      'completed',
      'finished',
    ],
  },
  // Gemini: the model wrote a call that does not read. That is its answer, and asking again would give it a second try.
  { means: { as: 'stop' }, reasons: ['malformed_function_call', 'unexpected_tool_call', 'too_many_tool_calls'] },
  { means: { as: 'tool_calls' }, reasons: ['tool_calls', 'tool_call', 'tool_use', 'function_call', 'function_calls'] },
  {
    means: { as: 'length' },
    reasons: [
      ...['length', 'max_tokens', 'max_length', 'max_output_tokens', 'max_completion_tokens', 'max_new_tokens', 'max_tokens_reached'],
      ...[
        'max_predicted_tokens_reached',
        'output_limit',
        'token_limit',
        'model_length',
        'max_model_length',
        'context_length',
        'error_limit',
      ],
      ...['context_length_reached', 'context_length_exceeded', 'context_window_exceeded', 'model_context_window_exceeded', 'truncated'],
      // Xiaomi: the server ended an answer that repeated itself. What was written until then is the answer.
      'repetition_truncation',
    ],
  },
  {
    means: { fails: 'content-filter' },
    reasons: [
      ...['content_filter', 'content_filtered', 'content_policy', 'safety', 'image_safety', 'recitation', 'image_recitation', 'blocklist'],
      ...[
        'prohibited_content',
        'image_prohibited_content',
        'spii',
        'sensitive',
        'moderation',
        'guardrail_intervened',
        'blocked',
        'flagged',
      ],
      // Anthropic: a classifier broke the answer off. A model that declines by its own words ends with `end_turn`.
      ...['refusal', 'error_toxic'],
    ],
  },
  {
    means: { fails: 'server-error' },
    reasons: [
      ...[
        'error',
        'server_error',
        'internal_error',
        'internal_server_error',
        'model_error',
        'engine_error',
        'network_error',
        'failed',
        'failure',
      ],
      ...['malformed_response', 'model_unloaded'],
    ],
  },
  {
    means: { fails: 'overloaded' },
    reasons: ['insufficient_system_resource', 'insufficient_resources', 'overloaded', 'engine_overloaded', 'preempted'],
  },
  { means: { fails: 'rate-limited' }, reasons: ['rate_limit', 'rate_limited', 'rate_limit_exceeded'] },
  { means: { fails: 'total-timeout' }, reasons: ['timeout', 'timed_out', 'deadline_exceeded', 'time_limit'] },
  {
    means: { fails: 'cut-stream' },
    reasons: ['abort', 'aborted', 'cancel', 'cancelled', 'canceled', 'user_cancel', 'user_stopped', 'interrupted', 'disconnected'],
  },
]

/** Texts that stand for no reason: the null of languages in which it was written as a text. */
const unfinished = new Set(['', 'null', 'none', 'nil', 'undefined', 'unspecified'])

const keyOf = (reason: string): string =>
  reason
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/^finishreason/, '')

const meanings = new Map(finishFamilies.flatMap(({ means, reasons }) => reasons.map((reason) => [keyOf(reason), means] as const)))

/** The reason that a chunk tells, as it is spelled there; null where it tells none. */
export function finishTold(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  return value === 'stop' || !unfinished.has(keyOf(value)) ? value : null
}

/** The meaning of a finish reason in any spelling; null where it is in no family. */
export function finishMeaning(reason: string): FinishMeaning | null {
  return meanings.get(keyOf(reason)) ?? null
}
