import * as z from 'zod'
import type { Provider } from '../provider.ts'
import { fetchReason } from './fetch-reason.ts'
import { type ListedProvider, listedProviders } from './listed-providers.ts'

const ModelIds = z.object({ data: z.array(z.object({ id: z.string().min(1).max(300) })) })
const listTimeoutMs = 5_000

/**
 * Providers named by the environment: those of BENCH_PROVIDERS, then `CHUTES_API_KEY`, then `OPENAI_BASE_URL` with or without `OPENAI_API_KEY`,
 * where the list has no provider of that id. A server whose models nobody names is asked for them once. `CHUTES_RATE_LIMIT` and `OPENAI_RATE_LIMIT` say how
 * many requests a second a key allows. None configured gives an empty list: then the demo model takes their place. Throws a sentence for what does not fit.
 */
export async function providersFrom(env: NodeJS.ProcessEnv, fetcher: typeof fetch, say: (line: string) => void): Promise<Provider[]> {
  const listed = listedProviders(env)
  const short = shortProviders(env).filter(({ id }) => !listed.some((one) => one.id === id))
  return Promise.all(
    [...listed, ...short].map(async ({ models, label, ...rest }): Promise<Provider> => {
      const base_url = trimmed(rest.base_url)
      const known = models ?? (rest.kind === 'openai' ? await listModels(base_url, rest.api_key, fetcher, say) : [])
      return { ...rest, base_url, models: known, label: label ?? labelOf(base_url), rate_limit: rest.rate_limit ?? null }
    }),
  )
}

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
      ...(named.length > 0 && { models: named }),
      api_key: env.OPENAI_API_KEY || null,
      rate_limit: rateLimit('OPENAI_RATE_LIMIT', env),
    })
  }
  return providers
}

async function listModels(base: string, key: string | null, fetcher: typeof fetch, say: (line: string) => void): Promise<string[]> {
  try {
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const response = await fetcher(`${base}/models`, { headers, signal: AbortSignal.timeout(listTimeoutMs) })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return ModelIds.parse(await response.json()).data.map((model) => model.id)
  } catch (error) {
    say(`${base}/models could not be read (${reason(error)}); name the models with OPENAI_MODELS=a,b, or as "models" in BENCH_PROVIDERS`)
    return []
  }
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return 'it is not a list of models'
  return fetchReason(error)
}

/** Requests a second from a variable, null where it is not set. Throws a sentence for anything but a whole number from 1. */
function rateLimit(name: string, env: NodeJS.ProcessEnv): number | null {
  const text = env[name]?.trim()
  if (!text) return null
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new Error(`${name} is "${text}"; it must be a whole number of requests a second, at least 1.`)
}

function labelOf(base: string): string {
  const url = URL.parse(base)
  return url?.host ?? base
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}
