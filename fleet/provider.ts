import { replayProvider } from '#shared/contract/replay.ts'
import type { KeyedProvider, TokenRoute } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import { asksOwnProviders, gradesAgain, sendsLaterParams } from '#shared/run/match/needs-of.ts'

/** The providers with Chutes among them: without a key of this agent's own it still serves runs whose owners bring theirs. */
export function withChutes(providers: readonly KeyedProvider[], chutesUrl: string): KeyedProvider[] {
  if (providers.some((one) => one.kind === 'chutes')) return [...providers]
  return [...providers, { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: chutesUrl, models: [], api_key: null }]
}

/** The same with an address of its own for calls that access tokens of Sign in with Chutes pay; unchanged without one. */
export function withTokenRoute(providers: readonly KeyedProvider[], token_route: TokenRoute | null): KeyedProvider[] {
  return providers.map((one) => (token_route !== null && one.kind === 'chutes' ? { ...one, token_route } : one))
}

/** What an agent with these providers may be given: see `needsOf` for the other side. */
export function capabilitiesOf(providers: readonly KeyedProvider[]): string[] {
  const ways = providers.flatMap((provider) => {
    const { needsKey, ownersKeys } = defOf(provider)
    return [
      ...(needsKey && provider.api_key === null ? [] : [`provider:${provider.id}`]),
      ...(ownersKeys ? [`own-key:${provider.id}`] : []),
    ]
  })
  // Older agents say neither: they could not read the answers, and would leave those parameters out.
  return [`provider:${replayProvider}`, gradesAgain, asksOwnProviders, ...sendsLaterParams, ...ways]
}
