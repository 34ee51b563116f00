import * as z from 'zod'
import { Price } from './usage.ts'

/** A model somebody can choose. Field names up to `is_active` are the predecessor's. */
export const Model = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  provider: z.string(),
  tagline: z.string().nullable(),
  user: z.string().nullable(),
  logo: z.string().nullable(),
  chute_id: z.string().nullable(),
  instance_count: z.int(),
  is_active: z.boolean(),
  price: Price.nullable(),
  context_length: z.int().nullable(),
  max_output_length: z.int().nullable(),
  input_modalities: z.array(z.string()),
  features: z.array(z.string()),
  synced_at: z.string().nullable(),
})
export type Model = z.infer<typeof Model>
