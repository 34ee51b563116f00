import * as z from 'zod'
import type { Price } from '../contract/usage.ts'
import { ListedModel, tokenCount, words } from './listed-model.ts'
import { openai } from './openai.ts'
import type { Fields, ProviderDef } from './provider-def.ts'

/** US dollars per token, as a text; negative where the price depends on where a request is routed to. */
const perToken = z.coerce.number().min(0).nullish().catch(null)

const Listed = z.object({
  id: z.string().min(1).max(300),
  context_length: tokenCount,
  pricing: z.object({ prompt: perToken, completion: perToken, input_cache_read: perToken }).nullish().catch(null),
  top_provider: z.object({ max_completion_tokens: tokenCount }).nullish().catch(null),
  architecture: z.object({ input_modalities: words }).nullish().catch(null),
  supported_parameters: words,
})

/** Parameters by which it says what a model can do, under the names that Chutes gave these features. */
const features: Record<string, string> = {
  tools: 'tools',
  response_format: 'json_mode',
  structured_outputs: 'structured_outputs',
  reasoning: 'reasoning',
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

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** OpenRouter: one address before many providers. It lists prices per token, has a form of its own for effort, and refuses flagged questions with 403. */
export const openrouter: ProviderDef = {
  ...openai,
  label: 'OpenRouter',
  needsKey: true,
  catalogue: 'asked',
  readListed(entry) {
    const { success, data } = Listed.safeParse(entry)
    if (!success) return undefined
    return ListedModel.parse({
      id: data.id,
      price: priceOf(data.pricing),
      context_length: data.context_length ?? null,
      max_output_length: data.top_provider?.max_completion_tokens ?? null,
      input_modalities: data.architecture?.input_modalities ?? [],
      features: (data.supported_parameters ?? []).flatMap((name) => features[name] ?? []),
    })
  },
  sent: (name, value) => (name === 'reasoning_effort' ? ['reasoning', { effort: value }] : [name, value]),
  // A flagged question is that question's fault: as a plain 403 it would stop the whole run.
  reasonOf(status, body) {
    const metadata = isObject(body?.error) ? body.error.metadata : null
    return status === 403 && isObject(metadata) && Array.isArray(metadata.reasons) ? 'content-filter' : null
  },
  resetAt: () => null,
}
