import * as z from 'zod'
import { ListedModel, tokenCount, words } from './listed-model.ts'
import { reasoningBudgetFields } from './provider.ts'
import type { ProviderDef } from './provider-def.ts'
import { quotaResetAt } from './quota-reset.ts'

/**
 * Servers call the window by different names: vLLM and SGLang `max_model_len`, Groq `context_window`, Mistral
 * `max_context_length`, gateways mostly `context_length`.
 */
const Listed = z.object({
  id: z.string().min(1).max(300),
  context_length: tokenCount,
  max_model_len: tokenCount,
  context_window: tokenCount,
  max_context_length: tokenCount,
  input_modalities: words,
})

/** OpenAI's own endpoint takes the limit under this name for every model, and its reasoning models under no other. */
const limitNames: Record<string, string> = { 'api.openai.com': 'max_completion_tokens' }

/** Any server that speaks OpenAI's protocol: vLLM, SGLang, LiteLLM, OpenAI itself. What it costs, its list does not say. */
export const openai: ProviderDef = {
  label: null,
  needsKey: false,
  ownersKeys: false,
  catalogue: 'asked-unless-named',
  baseUrl: null,
  listUrls(base_url) {
    const [path = '', ...query] = base_url.split('?')
    return [[`${path.replace(/\/+$/, '')}/models`, ...query].join('?')]
  },
  keyUrl: () => null,
  listMs: 5_000,
  readListed(entry) {
    const { success, data } = Listed.safeParse(entry)
    if (!success) return undefined
    const context_length = data.context_length ?? data.max_model_len ?? data.context_window ?? data.max_context_length ?? null
    return ListedModel.parse({ id: data.id, context_length, input_modalities: data.input_modalities ?? [] })
  },
  everyModel: {},
  holding: null,
  // Gateways and aliases answer under other names, and are told as what they are.
  isAnswerOf: () => true,
  toolsTold: null,
  tagline: null,
  invented: false,
  routes: false,
  budget: 'where-configured',
  sent(name, value, host) {
    if (name === 'reasoning_budget_tokens') return [reasoningBudgetFields[0], value]
    return [name === 'max_tokens' ? (limitNames[host] ?? name) : name, value]
  },
  idHeaders: [],
  reasonOf: () => null,
  // Chutes is often asked through a gateway, which carries its refusals on.
  resetAt: quotaResetAt,
}
