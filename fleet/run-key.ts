import type { KeyedProvider } from '#shared/providers/provider.ts'
import { secretsOf } from '#shared/providers/provider-headers.ts'

/** The key that the owner of a run brought, and the provider it belongs to; null for a run that is asked with the agent's keys. */
export type OwnKey = {
  provider: string
  api_key(): string | null
  /** Waits for the key that replaces a refused key; there may be none. */
  renew?: ((refused: string) => Promise<void>) | undefined
  /** Whether its owner may put another in its place while the run goes on. */
  replaceable?: boolean
} | null

/** Whether a key is an access token of Sign in with Chutes, which expires. */
export const givesWay = (key: string): boolean => key.startsWith('cak_')

/** A provider at the address that takes this key: access tokens go to its `token_route`, where one is configured. */
export function addressFor(provider: KeyedProvider, apiKey: string | null): KeyedProvider & { host: string | null } {
  const route = apiKey !== null && givesWay(apiKey) ? provider.token_route : undefined
  return { ...provider, base_url: route?.base_url ?? provider.base_url, host: route?.host ?? null }
}

/** The key that lists of models are read with: an access token calls models and reads no list. */
export const listingKey = (apiKey: string | null): string | null => (apiKey !== null && givesWay(apiKey) ? null : apiKey)

/**
 * The key with which a run asks a provider, whose it is, and all keys that no reply may carry on. The owner's key goes to the provider it
 * belongs to and to no other. Throws while it has not come: it comes with the first leases.
 */
export function runKey(provider: KeyedProvider, own: OwnKey, providers: readonly KeyedProvider[], secrets: readonly (string | null)[]) {
  const key = own?.api_key() ?? null
  const owned = own?.provider === provider.id
  // A question without it would be paid by somebody else or refused.
  if (owned && key === null) throw new Error(`the owner's key for ${provider.id} has not come`)
  return {
    apiKey: owned ? key : provider.api_key,
    whose: owned ? ('run-owner' as const) : ('agent' as const),
    held: heldKeys(key, providers, secrets),
  }
}

/** All that no reply may carry on: the key of the run's owner, those of every provider, their secret headers, and whatever else the agent holds. */
export function heldKeys(key: string | null, providers: readonly KeyedProvider[], secrets: readonly (string | null)[]): string[] {
  return [...secrets, key, ...providers.flatMap(secretsOf)].filter((secret) => secret !== null)
}
