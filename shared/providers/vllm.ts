import { errorOf, saysOverflow } from './context-overflow.ts'
import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'

/** Newer versions name the parameter at fault; of older ones there is the sentence alone, of the whole request or of the prompt. */
const overflow = /maximum context length (?:is|of) \d+ tokens|\(length \d+\) is longer than the maximum model length/

/**
 * vLLM's own server. It lists `max_model_len`, sends reasoning as `reasoning` (older versions as `reasoning_content`), ends aborted answers with the finish
 * reason `abort`, and takes a budget for reasoning where it was started with `--reasoning-config`.
 */
export const vllm: ProviderDef = {
  ...openai,
  label: 'vLLM',
  catalogue: 'asked',
  baseUrl: 'http://127.0.0.1:8000/v1',
  reasonOf(status, body) {
    if (status !== 400) return null
    return errorOf(body).param === 'input_tokens' || saysOverflow(body, overflow) ? 'context-length' : null
  },
  resetAt: () => null,
}
