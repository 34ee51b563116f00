import * as z from 'zod'

/** What a provider says of a key where asking is free: it takes the key, it refuses the key, or it does not tell. */
export const keyVerdicts = ['good', 'refused', 'untold'] as const
export const KeyVerdict = z.enum(keyVerdicts)
export type KeyVerdict = z.infer<typeof KeyVerdict>

/** A key of yours at a provider, without its secret. */
export const ProviderKey = z.object({
  provider: z.string().describe('Id of the provider, as models and runs name it'),
  label: z.string().describe('Name of the provider'),
  base_url: z.string().describe('Address that calls with the key go to, and no other'),
  last4: z.string().describe('Last four characters of the key; the rest is never shown'),
  verdict: KeyVerdict.describe('What the provider said of the key: `good`, `refused`, or `untold` where it has no free way to tell'),
  models: z.int().nullable().describe('Models that the provider lists for the key; null where the list could not be read'),
  asked_at: z.string().describe('When the provider was asked last, in UTC'),
  created_at: z.string().describe('When the key was saved, in UTC'),
  used_at: z.string().nullable().describe('When a run was last given the key, accurate to minutes; null for never'),
})
export type ProviderKey = z.infer<typeof ProviderKey>

export const ProviderKeyList = z.object({
  keys: z.array(ProviderKey).describe('Your keys at providers'),
  offered: z
    .array(z.object({ provider: z.string().describe('Id of the provider'), label: z.string().describe('Name of the provider') }))
    .describe('Providers that a key can be saved for by name'),
  origins: z.array(z.string()).describe('Origins of other base URLs that the operator allows'),
  most: z.int().describe('How many keys you may have'),
})
export type ProviderKeyList = z.infer<typeof ProviderKeyList>

/** Shortest key whose last four characters are shown. */
export const shortestKey = 12

/** A key for a provider by name, or for a base URL of an origin that the operator allows. */
export const SaveProviderKey = z.strictObject({
  provider: z.string().max(40).nullish().describe('Id of a provider among `offered`; one of this and `base_url` is needed'),
  base_url: z.string().max(500).nullish().describe('Base URL of an OpenAI-compatible provider, of an origin among `origins`'),
  key: z
    .string()
    .trim()
    .min(shortestKey)
    .max(2000)
    .regex(/^[\x21-\x7e]+$/, 'is one line of printable ASCII without spaces')
    .describe('The key; it is sealed and never shown again'),
})
export type SaveProviderKey = z.infer<typeof SaveProviderKey>

/** Which of your keys pays: as the start page names it. */
export const PayingKey = z.object({
  provider: z.string().describe('Id of the provider'),
  label: z.string().describe('Name of the provider'),
  last4: z.string().describe('Last four characters of the key'),
  verdict: KeyVerdict.describe('What the provider said of the key'),
})
export type PayingKey = z.infer<typeof PayingKey>
