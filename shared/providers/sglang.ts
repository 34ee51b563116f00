import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'

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
  resetAt: () => null,
}
