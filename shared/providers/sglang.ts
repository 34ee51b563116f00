import { saysOverflow } from './context-overflow.ts'
import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'

/** Its sentences for the prompt, for prompt and answer together, for the answer, and that of its scheduler. */
const overflow = new RegExp(
  [
    "longer than the model's context length",
    "^Requested token count exceeds the model's maximum context length",
    '^Multimodal prompt is too long',
    '^Input length \\(\\d+ tokens\\) exceeds the maximum allowed length',
    '^max_completion_tokens is too large',
  ].join('|'),
)

/**
 * SGLang's own server. It lists `max_model_len`, sends reasoning as `reasoning_content` and counts its tokens outside of the details; errors are the body
 * itself, and within a stream an `error` under status 200. It ignores what it does not know, a budget for reasoning with it.
 */
export const sglang: ProviderDef = {
  ...openai,
  label: 'SGLang',
  catalogue: 'asked',
  baseUrl: 'http://127.0.0.1:30000/v1',
  budget: 'never',
  reasonOf: (status, body) => (status === 400 && saysOverflow(body, overflow) ? 'context-length' : null),
  resetAt: () => null,
}
