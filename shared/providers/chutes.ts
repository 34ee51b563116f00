import * as z from 'zod'
import type { Price } from '../contract/usage.ts'
import { ListedModel, tokenCount, words } from './listed-model.ts'
import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'
import { quotaResetAt } from './quota-reset.ts'
import { nothingTold, reasoningFeatures } from './reasoning-features.ts'

const rate = z.number().min(0).nullish().catch(null)
const amount = z
  .object({ usd: z.number().min(0) })
  .nullish()
  .catch(null)

/** One model of the inference endpoint's own list. `pricing`, and `price` beside it, are in US dollars per million tokens. */
export const ChutesServed = z.object({
  id: z.string().min(1).max(300),
  chute_id: z.string().nullish().catch(null),
  context_length: tokenCount,
  max_model_len: tokenCount,
  max_output_length: tokenCount,
  pricing: z.object({ prompt: rate, completion: rate, input_cache_read: rate }).nullish().catch(null),
  price: z.object({ input: amount, output: amount, input_cache_read: amount }).nullish().catch(null),
  input_modalities: words,
  supported_features: words,
})
export type ChutesServed = z.infer<typeof ChutesServed>

type Estimated = { input?: { usd: number } | null | undefined; output?: { usd: number } | null | undefined }

/** What a model on Chutes costs: as the endpoint lists it, else as the catalogue estimates it. */
export function chutesPrice(served: ChutesServed | undefined, estimated: Estimated | null | undefined): Price | null {
  const input = served?.pricing?.prompt ?? served?.price?.input?.usd ?? estimated?.input?.usd
  const output = served?.pricing?.completion ?? served?.price?.output?.usd ?? estimated?.output?.usd
  if (input == null || output == null) return null
  const cached = served?.pricing?.input_cache_read ?? served?.price?.input_cache_read?.usd ?? null
  return { input_per_million_usd: input, output_per_million_usd: output, cached_input_per_million_usd: cached }
}

/** A list of features without reasoning among them says that there is none. */
const featuresOf = (told: readonly string[]): string[] =>
  told.length === 0 || told.includes('reasoning') ? [...told] : [...told, ...reasoningFeatures({ ...nothingTold, reasons: false })]

/** What the endpoint's list says of a model, in our words. */
export const chutesListed = (served: ChutesServed): ListedModel =>
  ListedModel.parse({
    id: served.id,
    price: chutesPrice(served, null),
    context_length: served.context_length ?? served.max_model_len ?? null,
    max_output_length: served.max_output_length ?? null,
    input_modalities: served.input_modalities ?? [],
    features: featuresOf(served.supported_features ?? []),
  })

/** Chutes: a public catalogue with prices, keys that runs may bring, and quotas that say when they are filled again. */
export const chutes: ProviderDef = {
  ...openai,
  label: 'Chutes',
  needsKey: true,
  baseUrl: 'https://llm.chutes.ai/v1',
  ownersKeys: true,
  catalogue: 'service',
  readListed(entry) {
    const { success, data } = ChutesServed.safeParse(entry)
    return success ? chutesListed(data) : undefined
  },
  // It documents none, and passes on what it does not know to servers that ignore it.
  budget: 'never',
  sent: (name, value) => [name, value],
  resetAt: quotaResetAt,
}
