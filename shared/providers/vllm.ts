import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'

/**
 * vLLM's own server. It lists `max_model_len`, sends reasoning as `reasoning` (older versions as `reasoning_content`), ends aborted answers with the finish
 * reason `abort`, and takes a budget for reasoning where it was started with `--reasoning-config`.
 */
export const vllm: ProviderDef = {
  ...openai,
  label: 'vLLM',
  catalogue: 'asked',
  baseUrl: 'http://127.0.0.1:8000/v1',
  resetAt: () => null,
}
