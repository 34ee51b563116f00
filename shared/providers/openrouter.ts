import * as z from 'zod'
import type { ModelParams } from '../contract/message.ts'
import type { Price } from '../contract/usage.ts'
import { ListedModel, tokenCount, words } from './listed-model.ts'
import { openai } from './openai.ts'
import type { Fields, ProviderDef } from './provider-def.ts'
import { nothingTold, type ReasoningTold, reasoningFeatures } from './reasoning-features.ts'

/** US dollars per token, as a text; negative where the price depends on where a request is routed to. */
const perToken = z.coerce.number().min(0).nullish().catch(null)

const Listed = z.object({
  id: z.string().min(1).max(300),
  context_length: tokenCount,
  pricing: z.object({ prompt: perToken, completion: perToken, input_cache_read: perToken }).nullish().catch(null),
  top_provider: z.object({ max_completion_tokens: tokenCount }).nullish().catch(null),
  architecture: z.object({ input_modalities: words }).nullish().catch(null),
  supported_parameters: words,
  /** Absent of models that do not reason, and of lists from before there was such a field. */
  reasoning: z
    .object({
      mandatory: z.boolean().nullish().catch(null),
      supported_efforts: z.array(z.string().max(20).nullable()).max(20).nullish().catch(null),
      supports_max_tokens: z.boolean().nullish().catch(null),
    })
    .nullish()
    .catch(null),
})

/** Parameters by which it says what a model can do, under the names that Chutes gave these features. */
const features: Record<string, string> = {
  tools: 'tools',
  response_format: 'json_mode',
  structured_outputs: 'structured_outputs',
}

/** What an entry says of reasoning: whether by the parameters the model takes, which levels and whether a budget by a field of its own. */
function reasoningOf({ reasoning, supported_parameters }: z.infer<typeof Listed>): ReasoningTold {
  const reasons = reasoning ? true : (supported_parameters?.includes('reasoning') ?? null)
  if (!reasoning) return { ...nothingTold, reasons }
  const efforts = reasoning.supported_efforts?.flatMap((level) => level ?? []) ?? null
  return { reasons, always: reasoning.mandatory === true, efforts, takesBudget: reasoning.supports_max_tokens === true }
}

/** Per million tokens, to the millionth of a dollar: a product of binary fractions has digits nobody wrote. */
const perMillion = (usd: number): number => Math.round(usd * 1e12) / 1e6

function priceOf(pricing: z.infer<typeof Listed>['pricing']): Price | null {
  if (pricing?.prompt == null || pricing.completion == null) return null
  return {
    input_per_million_usd: perMillion(pricing.prompt),
    output_per_million_usd: perMillion(pricing.completion),
    cached_input_per_million_usd: pricing.input_cache_read == null ? null : perMillion(pricing.input_cache_read),
  }
}

/** What it has a form of its own for. Effort and budget are one field, of which it takes one or the other. */
const ownFields: Partial<Record<keyof ModelParams, (value: unknown) => readonly [string, unknown]>> = {
  reasoning_effort: (effort) => ['reasoning', { effort }],
  reasoning_budget_tokens: (max_tokens) => ['reasoning', { max_tokens }],
  routing: (routing) => ['provider', routing],
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** OpenRouter: one address before many providers. It lists prices per token, has forms of its own for reasoning and routing, and refuses flagged questions with 403. */
export const openrouter: ProviderDef = {
  ...openai,
  label: 'OpenRouter',
  needsKey: true,
  baseUrl: 'https://openrouter.ai/api/v1',
  catalogue: 'asked',
  // Its list is for everybody, and so tells nothing of a key.
  keyUrl: (base_url) => `${base_url}/key`,
  readListed(entry) {
    const { success, data } = Listed.safeParse(entry)
    if (!success) return undefined
    return ListedModel.parse({
      id: data.id,
      price: priceOf(data.pricing),
      context_length: data.context_length ?? null,
      max_output_length: data.top_provider?.max_completion_tokens ?? null,
      input_modalities: data.architecture?.input_modalities ?? [],
      features: [...(data.supported_parameters ?? []).flatMap((name) => features[name] ?? []), ...reasoningFeatures(reasoningOf(data))],
    })
  },
  routes: true,
  budget: 'taken',
  sent: (name, value) => ownFields[name]?.(value) ?? [name, value],
  // A flagged question is that question's fault: as a plain 403 it would stop the whole run.
  reasonOf(status, body) {
    const metadata = isObject(body?.error) ? body.error.metadata : null
    return status === 403 && isObject(metadata) && Array.isArray(metadata.reasons) ? 'content-filter' : null
  },
  resetAt: () => null,
}
