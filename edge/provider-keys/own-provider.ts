import { replayProvider } from '#shared/contract/replay.ts'
import type { OwnProvider } from '#shared/contract/run.ts'
import { baseUrlOf } from '#shared/providers/base-url.ts'
import { openai } from '#shared/providers/openai.ts'
import { ownProviders } from '#shared/providers/own-providers.ts'
import type { EdgeConfig } from '../deps.ts'
import { Problem } from '../problem.ts'

type Config = Pick<EdgeConfig, 'access' | 'chutes' | 'providers'>

/** The providers that a key can be saved for by name, at their addresses. Chutes is where this service asks it. */
export const namedProviders = ({ chutes }: Pick<Config, 'chutes'>): OwnProvider[] =>
  ownProviders.map((one) => (one.kind === 'chutes' ? { ...one, base_url: chutes.llm_url.replace(/\/+$/, '') } : one))

/**
 * Whether a key may be sent to this base URL: that of a provider known by name, or one of an origin that the operator
 * allows. Asked when a key is saved, when a run is started, and whenever an agent is given the key.
 */
export function isAllowed(base_url: string, config: Pick<Config, 'access' | 'chutes'>): boolean {
  if (namedProviders(config).some((one) => one.base_url === base_url)) return true
  return URL.canParse(base_url) && config.access.own_provider_origins.includes(new URL(base_url).origin)
}

/** Returns the provider of a new key. Throws `validation` if the service does not offer the provider. */
export function chosenProvider(asked: { provider?: string | null; base_url?: string | null }, config: Config): OwnProvider {
  if ((asked.provider == null) === (asked.base_url == null)) throw invalid('/provider', 'Give provider or base_url, and not both.')
  if (asked.base_url != null) return providerAt(asked.base_url, config)
  const found = namedProviders(config).find(({ id }) => id === asked.provider)
  if (found) return found
  const known = namedProviders(config).map(({ id }) => id)
  throw invalid('/provider', `There is no provider ${JSON.stringify(asked.provider)} to save a key for. Known: ${known.join(', ')}.`)
}

/** A provider that speaks OpenAI's protocol at an address of an allowed origin. */
function providerAt(written: string, config: Config): OwnProvider {
  const url = URL.parse(baseUrlOf(written, 'openai', openai))
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('/base_url', 'The base URL begins with https://.')
  // A query or a user name in the address may be a secret, and each run would show the secret.
  if (url.search || url.username || url.password)
    throw invalid('/base_url', 'The base URL has no query, user name or password: the key is all that is sent.')
  const base_url = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  const named = namedProviders(config).find((one) => one.base_url === base_url)
  if (named) return named
  if (!isAllowed(base_url, config)) throw invalid('/base_url', notAllowed(url.origin, config))
  const configured = config.providers.find((one) => one.kind === 'openai' && one.base_url === base_url)
  return { id: configured?.id ?? idOf(url, config), label: configured?.label ?? url.host, kind: 'openai', base_url }
}

function notAllowed(origin: string, { access }: Config): string {
  const { own_provider_origins: allowed } = access
  const advice = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'It allows none.'
  return `The operator of this service does not allow keys for ${origin} (BENCH_OWN_PROVIDER_URLS). ${advice}`
}

/** The host, as an id of a provider: no name that is taken here, and 40 characters at most. */
function idOf(url: URL, config: Config): string {
  const host = url.host.replaceAll(/[^A-Za-z0-9.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const id = host.slice(-36).replace(/^[^A-Za-z0-9]+/, '')
  const taken = [...namedProviders(config), ...config.providers].some((one) => one.id === id) || id === replayProvider
  return taken ? `own-${id}` : id
}

const invalid = (pointer: string, message: string): Problem => new Problem('validation', message, { errors: [{ pointer, message }] })
