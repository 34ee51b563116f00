import * as z from 'zod'
import { Price } from '../contract/usage.ts'

/** Written by people too: what nobody caches needs no price. */
const ListedPrice = Price.extend({ cached_input_per_million_usd: Price.shape.cached_input_per_million_usd.default(null) })
const tokens = z.int().min(1).max(2_147_483_647)

/** What a provider tells of one of its models; null and empty lists stand for what it does not tell. `id` is the name that is sent to it. */
export const ListedModel = z.object({
  id: z.string().min(1).max(300),
  price: ListedPrice.nullable().default(null),
  context_length: tokens.nullable().default(null),
  max_output_length: tokens.nullable().default(null),
  input_modalities: z.array(z.string().max(40)).max(20).default([]),
  features: z.array(z.string().max(60)).max(50).default([]),
})
export type ListedModel = z.infer<typeof ListedModel>

/** A model of which nothing but its name is known. */
export const namedModel = (id: string): ListedModel => ({
  id,
  price: null,
  context_length: null,
  max_output_length: null,
  input_modalities: [],
  features: [],
})

/** The shortest form that reads as this model again: its name where nothing else is known, else what is known. */
export function writtenModel(model: ListedModel): string | Partial<ListedModel> {
  const known = Object.entries(model).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
  return known.length === 1 ? model.id : Object.fromEntries(known)
}

/** A field of an unexpected form reads as absent: a list is other people's, and one odd field must not hide a model. */
export const tokenCount = tokens.nullish().catch(null)
export const words = z.array(z.string().max(60)).max(50).nullish().catch(null)
