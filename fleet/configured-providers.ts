import { listModels, NoModelList } from '#fleet/model/list-models.ts'
import { baseUrlOf, withV1 } from '#shared/providers/base-url.ts'
import { type ListedModel, namedModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import { modelReadings } from '#shared/run/model-readings.ts'
import { BadSetting } from './bad-setting.ts'
import { fetchReason } from './fetch-reason.ts'
import { keyIn } from './key-setting.ts'
import { type ListedProvider, listedProviders } from './listed-providers.ts'
import { throughProxy } from './proxy/proxy-env.ts'

type Env = Record<string, string | undefined>
type Say = (line: string) => void

/**
 * Providers named by the environment: those of BENCH_PROVIDERS, then `CHUTES_API_KEY`, then `OPENAI_BASE_URL` with or without `OPENAI_API_KEY`,
 * then `OPENROUTER_API_KEY`, then `LMSTUDIO_BASE_URL`, where the list has no provider of that id, or for OpenRouter none of its kind. A server whose models nobody names is asked for them once. `CHUTES_RATE_LIMIT` and `OPENAI_RATE_LIMIT` say how
 * many requests a second a key allows. None configured gives an empty list: then the demo model takes their place. Throws a sentence for what does not fit.
 */
export async function providersFrom(env: Env, fetcher: typeof fetch, say: Say): Promise<KeyedProvider[]> {
  return Promise.all(listedProvidersOf(env, say).map(async (written) => (await readProvider(written, env, fetcher, say)).provider))
}

/** The providers that the environment names, before any of them is asked. Throws as `providersFrom` does, except for addresses. */
export function listedProvidersOf(env: Env, say: Say): ListedProvider[] {
  const listed = listedProviders(env)
  const isListed = ({ id, kind }: ListedProvider) => listed.some((one) => one.id === id || (kind === 'openrouter' && one.kind === kind))
  const short = shortProviders(env, say).filter((one) => !isListed(one))
  return [...listed, ...short]
}

/**
 * A provider with its label, and with its address and models as its server tells them. `isRead` is false where the server was asked and told nothing.
 * Throws a sentence for an address that cannot be asked.
 */
export async function readProvider(
  written: ListedProvider,
  env: Env,
  fetcher: typeof fetch,
  say: Say,
): Promise<{ provider: KeyedProvider; isRead: boolean }> {
  const base_url = addressOf(written)
  const provider = { ...written, base_url, rate_limit: written.rate_limit ?? null }
  const { isRead, ...found } = await readServer(provider, fetcher, (line) => say(`${line}${throughProxy(base_url, env)}`))
  const label = provider.label ?? defOf(provider).label ?? hostOf(base_url)
  return { provider: { ...provider, label, ...found }, isRead }
}

/**
 * A provider with the address that its server answers at. A server without a path in its address may have been down when that was found out, so that it
 * is asked again; one that tells nothing keeps its address.
 */
export async function settleAddress(provider: KeyedProvider, fetcher: typeof fetch): Promise<KeyedProvider> {
  if (!isBare(provider)) return provider
  const { base_url } = await listOf(provider, fetcher).catch(() => provider)
  return { ...provider, base_url }
}

/** Whether an address has no path and its kind no path of its own: then only the server tells whether `/v1` is meant. */
const isBare = (provider: ListedProvider): boolean =>
  defOf(provider).catalogue === 'asked-unless-named' && URL.parse(provider.base_url)?.pathname === '/'

type Found = Pick<KeyedProvider, 'base_url' | 'models'>

/**
 * Models of a provider as they were named, with what the provider tells of them where it is asked; all it lists where nobody named any. An address that
 * has no list but one below `/v1` stands for that one.
 */
async function readServer(provider: ListedProvider, fetcher: typeof fetch, say: Say): Promise<Found & { isRead: boolean }> {
  const { models: named, base_url } = provider
  const { catalogue } = defOf(provider)
  const asks = catalogue === 'asked' ? !named?.some(isTold) : catalogue === 'asked-unless-named' && !named
  if (!asks && !isBare(provider)) return { base_url, models: named ?? [], isRead: true }
  try {
    const listed = await listOf(provider, fetcher)
    if (listed.base_url !== base_url) say(`${base_url} has no list of models and ${listed.base_url} has one: that address is used`)
    const models = named?.length ? (asks ? named.map((one) => listedAs(one, listed.models, provider) ?? one) : named) : listed.models
    return { base_url: listed.base_url, models, isRead: true }
  } catch (error) {
    const why = error instanceof NoModelList ? error.message : fetchReason(error)
    const advice = named ? 'what they cost is not known' : 'name the models with OPENAI_MODELS=a,b, or as "models" in BENCH_PROVIDERS'
    if (asks) say(`${base_url}/models could not be read (${why}); ${advice}`)
    return { base_url, models: named ?? [], isRead: false }
  }
}

/** The list of a provider and the address below which it stands. Rejects as the first address does. */
async function listOf(provider: ListedProvider, fetcher: typeof fetch): Promise<Found> {
  const signal = AbortSignal.timeout(defOf(provider).listMs)
  const listAt = async (base_url: string): Promise<Found> => {
    return { base_url, models: await listModels({ ...provider, base_url }, provider.api_key, fetcher, signal) }
  }
  try {
    return await listAt(provider.base_url)
  } catch (error) {
    const deeper = withV1(provider.base_url)
    // What cannot be reached is not there below either; its key goes to no second address in vain.
    if (deeper === null || (error instanceof TypeError && !(error instanceof NoModelList)) || signal.aborted) throw error
    return await listAt(deeper).catch(() => {
      throw error
    })
  }
}

/** What a list says of a named model; its operator may have named it with the provider in front. */
const listedAs = ({ id }: ListedModel, listed: readonly ListedModel[], provider: ListedProvider): ListedModel | undefined =>
  modelReadings({ model_id: id, provider: null }, [provider])
    .map(({ model_id }) => listed.find((one) => one.id === model_id))
    .find((one) => one !== undefined)

/** Whether more than its name is known: then it was asked for before, or its operator knows better. */
const isTold = (model: ListedModel): boolean => model.price !== null || model.context_length !== null

function shortProviders(env: Env, say: Say): ListedProvider[] {
  const providers: ListedProvider[] = []
  const chutesKey = keyIn(env, 'CHUTES_API_KEY')
  if (chutesKey !== null) {
    const base_url = settingIn(env, 'CHUTES_API_BASE_URL') ?? 'https://llm.chutes.ai/v1'
    const rate_limit = rateLimit('CHUTES_RATE_LIMIT', env)
    providers.push({ id: 'chutes', label: 'Chutes', kind: 'chutes', base_url, models: [], api_key: chutesKey, rate_limit })
  }
  const openAiKey = keyIn(env, 'OPENAI_API_KEY')
  const openAiUrl = settingIn(env, 'OPENAI_BASE_URL')
  if (openAiUrl !== null) {
    const named = (env.OPENAI_MODELS ?? '').split(',').flatMap((name) => name.trim() || [])
    providers.push({
      id: 'openai',
      kind: 'openai',
      base_url: openAiUrl,
      ...(named.length > 0 && { models: named.map(namedModel) }),
      api_key: openAiKey,
      rate_limit: rateLimit('OPENAI_RATE_LIMIT', env),
    })
  } else if (openAiKey !== null) say(homelessKey(env))
  const openRouterKey = keyIn(env, 'OPENROUTER_API_KEY')
  if (openRouterKey !== null)
    providers.push({ id: 'openrouter', kind: 'openrouter', base_url: 'https://openrouter.ai/api/v1', api_key: openRouterKey })
  const lmstudio = settingIn(env, 'LMSTUDIO_BASE_URL')
  if (lmstudio !== null)
    providers.push({
      ...{ id: 'lmstudio', kind: 'lmstudio', base_url: lmstudio, api_key: keyIn(env, 'LMSTUDIO_API_KEY') },
      ...(switchedOn('LMSTUDIO_UNLOAD_AFTER_RUN', env) && { unload_after_run: true }),
    })
  return providers
}

/** A key for any server is sent nowhere until somebody says to which: a mistyped name of the other variable would give it away. */
function homelessKey(env: Env): string {
  const meant = Object.keys(env).find(
    (name) => name !== 'OPENAI_BASE_URL' && /^\W*OPENAI_?(?:API_?)?(?:BASE|HOST|URL|ENDPOINT)/i.test(name),
  )
  const instead = meant === undefined ? '' : ` ${JSON.stringify(meant)} is set, and is not read.`
  return `OPENAI_API_KEY is not used, as OPENAI_BASE_URL does not say where to.${instead} For OpenAI: OPENAI_BASE_URL=https://api.openai.com/v1`
}

/** What a variable holds, without the white space around it; null for nothing. */
const settingIn = (env: Env, name: string): string | null => env[name]?.trim() || null

/** Whether a variable says `true` or `1`. Throws a sentence for anything but these, `false` and `0`. */
function switchedOn(name: string, env: Env): boolean {
  const text = settingIn(env, name)
  if (text === null || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw new BadSetting(`${name} is "${text}"; it must be true or false.`)
}

/** Requests a second from a variable, null where it is not set. Throws a sentence for anything but a whole number from 1. */
function rateLimit(name: string, env: Env): number | null {
  const text = settingIn(env, name)
  if (text === null) return null
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new BadSetting(`${name} is "${text}"; it must be a whole number of requests a second, at least 1.`)
}

const hostOf = (base: string): string => URL.parse(base)?.host ?? base

/** The base URL of a provider. Throws a sentence for an address that cannot be asked; it repeats none that may hold a password. */
function addressOf(provider: ListedProvider): string {
  const base_url = baseUrlOf(provider.base_url, provider.kind, defOf(provider))
  const url = URL.parse(base_url)
  const shown = base_url.includes('@') ? 'The base URL' : `The base URL ${JSON.stringify(base_url)}`
  if (!url || !/^https?:$/.test(url.protocol)) throw new BadSetting(`${shown} of ${provider.id} must begin with http:// or https://.`)
  if (url.username || url.password)
    throw new BadSetting(`${shown} of ${provider.id} holds a user name or password; give a key, or a header in BENCH_PROVIDERS.`)
  return base_url
}
