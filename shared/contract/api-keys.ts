import * as z from 'zod'
import { Budget } from './budget.ts'

/** A key of this service, without its secret. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  used_at: z.string().nullable().describe('Time of the last use, accurate to five minutes; null for an unused key'),
  budget: Budget.nullish().describe('What runs of the key may cost; null for a key without limits'),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeyList = z.object({ keys: z.array(ApiKey) })
/** A new key with its secret. The secret is shown once. */
export const CreatedApiKey = ApiKey.extend({ key: z.string() })
