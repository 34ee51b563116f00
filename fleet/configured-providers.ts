import { listModels, NoModelList } from '#fleet/model/list-models.ts'
import { type ListedModel, namedModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import { modelReadings } from '#shared/run/model-readings.ts'
import { BadSetting } from './bad-setting.ts'
import { fetchReason } from './fetch-reason.ts'
import { type ListedProvider, listedProviders } from './listed-providers.ts'

/**
 * Providers named by the environment: those of BENCH_PROVIDERS, then `CHUTES_API_KEY`, then `OPENAI_BASE_URL` with or without `OPENAI_API_KEY`,
 * then `LMSTUDIO_BASE_URL`, where the list has no provider of that id. A server whose models nobody names is asked for them once. `CHUTES_RATE_LIMIT` and `OPENAI_RATE_LIMIT` say how
 * many requests a second a key allows. None configured gives an empty list: then the demo model takes their place. Throws a sentence for what does not fit.
 */
export async function providersFrom(env: NodeJS.ProcessEnv, fetcher: typeof fetch, say: (line: string) => void): Promise<KeyedProvider[]> {
  const listed = listedProviders(env)
  const short = shortProviders(env).filter(({ id }) => !listed.some((one) => one.id === id))
  return Promise.all(
    [...listed, ...short].map(async (written): Promise<KeyedProvider> => {
      const provider = { ...written, base_url: addressOf(written), rate_limit: written.rate_limit ?? null }
      const label = provider.label ?? defOf(provider).label ?? hostOf(provider.base_url)
      return { ...provider, label, models: await modelsOf(provider, fetcher, say) }
    }),
  )
}

/** Its models as they were named, with what the provider tells of them where it is asked; all it lists where nobody named any. */
async function modelsOf(provider: ListedProvider, fetcher: typeof fetch, say: (line: string) => void): Promise<ListedModel[]> {
  const { models: named } = provider
  const { catalogue } = defOf(provider)
  const asks = catalogue === 'asked' ? !named?.some(isTold) : catalogue === 'asked-unless-named' && !named
  if (!asks) return named ?? []
  try {
    const listed = await listModels(provider, provider.api_key, fetcher, AbortSignal.timeout(defOf(provider).listMs))
    return named?.length ? named.map((one) => listedAs(one, listed, provider) ?? one) : listed
  } catch (error) {
    const why = error instanceof NoModelList ? error.message : fetchReason(error)
    const advice = named ? 'what they cost is not known' : 'name the models with OPENAI_MODELS=a,b, or as "models" in BENCH_PROVIDERS'
    say(`${provider.base_url}/models could not be read (${why}); ${advice}`)
    return named ?? []
  }
}

/** What a list says of a named model; its operator may have named it with the provider in front. */
const listedAs = ({ id }: ListedModel, listed: readonly ListedModel[], provider: ListedProvider): ListedModel | undefined =>
  modelReadings({ model_id: id, provider: null }, [provider])
    .map(({ model_id }) => listed.find((one) => one.id === model_id))
    .find((one) => one !== undefined)

/** Whether more than its name is known: then it was asked for before, or its operator knows better. */
const isTold = (model: ListedModel): boolean => model.price !== null || model.context_length !== null

function shortProviders(env: NodeJS.ProcessEnv): ListedProvider[] {
  const providers: ListedProvider[] = []
  if (env.CHUTES_API_KEY) {
    const base_url = env.CHUTES_API_BASE_URL || 'https://llm.chutes.ai/v1'
    const rate_limit = rateLimit('CHUTES_RATE_LIMIT', env)
    providers.push({ id: 'chutes', label: 'Chutes', kind: 'chutes', base_url, models: [], api_key: env.CHUTES_API_KEY, rate_limit })
  }
  if (env.OPENAI_BASE_URL || env.OPENAI_API_KEY) {
    const named = (env.OPENAI_MODELS ?? '').split(',').flatMap((name) => name.trim() || [])
    providers.push({
      id: 'openai',
      kind: 'openai',
      base_url: env.OPENAI_BASE_URL || 'https://api.openai.com/v1',
      ...(named.length > 0 && { models: named.map(namedModel) }),
      api_key: env.OPENAI_API_KEY || null,
      rate_limit: rateLimit('OPENAI_RATE_LIMIT', env),
    })
  }
  if (env.LMSTUDIO_BASE_URL)
    providers.push({ id: 'lmstudio', kind: 'lmstudio', base_url: env.LMSTUDIO_BASE_URL, api_key: env.LMSTUDIO_API_KEY || null })
  return providers
}

/** Requests a second from a variable, null where it is not set. Throws a sentence for anything but a whole number from 1. */
function rateLimit(name: string, env: NodeJS.ProcessEnv): number | null {
  const text = env[name]?.trim()
  if (!text) return null
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new BadSetting(`${name} is "${text}"; it must be a whole number of requests a second, at least 1.`)
}

const hostOf = (base: string): string => URL.parse(base)?.host ?? base

/** Without slashes at its end. LM Studio's window shows the address of the server, under whose `/v1` OpenAI's protocol is. */
function addressOf({ kind, base_url }: ListedProvider): string {
  const url = base_url.replace(/\/+$/, '')
  return kind === 'lmstudio' && URL.parse(url)?.pathname === '/' ? `${url}/v1` : url
}
