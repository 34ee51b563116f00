import * as z from 'zod'

/** A key of this service, without its secret. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  used_at: z.string().nullable().describe('When it was used last, to five minutes; null for one that never was'),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeyList = z.object({ keys: z.array(ApiKey) })
/** With its secret, which is shown once. */
export const CreatedApiKey = ApiKey.extend({ key: z.string() })
