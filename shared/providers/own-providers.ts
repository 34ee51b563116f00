import type { OwnProvider } from '../contract/run.ts'
import { openrouter } from './openrouter.ts'

/** Providers that anybody may save a key for by name. OpenAI has no kind of its own: its address decides. */
export const ownProviders: readonly OwnProvider[] = [
  { id: 'openrouter', label: 'OpenRouter', kind: 'openrouter', base_url: openrouter.baseUrl! },
  { id: 'openai', label: 'OpenAI', kind: 'openai', base_url: 'https://api.openai.com/v1' },
  { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: 'https://llm.chutes.ai/v1' },
]
