import { openai } from './openai.ts'
import type { ProviderDef } from './provider-def.ts'

/** The model that comes with this program: it answers offline, for nothing, and takes everything. */
export const demo: ProviderDef = {
  ...openai,
  label: 'Demo',
  catalogue: 'configured',
  readListed: () => undefined,
  everyModel: {
    price: { input_per_million_usd: 0, output_per_million_usd: 0, cached_input_per_million_usd: null },
    input_modalities: ['text', 'image'],
  },
  tagline: 'Answers offline, at random: shows how runs work, says nothing about any model',
  invented: true,
  budget: 'taken',
  resetAt: () => null,
}
