import * as z from 'zod'
import { type KeyedProvider, WrittenProvider } from '#shared/providers/provider.ts'
import { ProviderHeaders, type WrittenHeaders } from '#shared/providers/provider-headers.ts'
import { providerDefs } from '#shared/providers/providers.ts'
import { BadSetting } from './bad-setting.ts'
import { checkedKey, keyIn } from './key-setting.ts'

/** A provider whose label and models may still have to be found out. */
export type ListedProvider = Omit<KeyedProvider, 'label' | 'models'> & Partial<Pick<KeyedProvider, 'label' | 'models'>>

/** The providers of BENCH_PROVIDERS with their keys. Throws a sentence that repeats nothing of a text that may hold keys. */
export function listedProviders(env: Env): ListedProvider[] {
  const text = env.BENCH_PROVIDERS?.trim()
  if (!text) return []
  const parsed = z.array(WrittenProvider).safeParse(parseJson(text))
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`)
    throw new BadSetting(`BENCH_PROVIDERS is not a list of providers (${faults.join('; ')}).`)
  }
  const twice = parsed.data.find(({ id }, at) => parsed.data.findIndex((one) => one.id === id) !== at)
  if (twice) throw new BadSetting(`BENCH_PROVIDERS names ${twice.id} twice; each provider needs an id of its own.`)
  return parsed.data.map(({ api_key_env, api_key, headers, ...provider }) => ({
    ...provider,
    ...(headers && { headers: headersOf(provider.id, headers, env) }),
    base_url: provider.base_url ?? usualUrl(provider),
    api_key:
      api_key_env === undefined
        ? writtenKey(api_key, `The api_key of ${provider.id} in BENCH_PROVIDERS`)
        : fromVariable('key', provider.id, api_key_env, env),
  }))
}

function usualUrl({ id, kind }: WrittenProvider): string {
  const { baseUrl } = providerDefs[kind]
  if (baseUrl) return baseUrl
  throw new BadSetting(`BENCH_PROVIDERS gives no base_url for ${id}, and a provider of the kind ${kind} has none of its own.`)
}

type Env = Record<string, string | undefined>

function headersOf(id: string, written: WrittenHeaders, env: Env): ProviderHeaders {
  const headers = Object.entries(written).map(([name, value]) => {
    return [name, typeof value === 'object' && 'env' in value ? fromVariable(`header ${name}`, id, value.env, env) : value] as const
  })
  const parsed = ProviderHeaders.safeParse(Object.fromEntries(headers))
  if (parsed.success) return parsed.data
  throw new BadSetting(
    `BENCH_PROVIDERS has headers of ${id} that cannot be sent: ${parsed.error.issues.map(({ message }) => message).join('; ')}.`,
  )
}

function fromVariable(what: string, id: string, name: string, env: Env): string {
  const value = keyIn(env, name)
  if (value !== null) return value
  throw new BadSetting(`BENCH_PROVIDERS takes the ${what} of ${id} from ${name}, which is not set.`)
}

const writtenKey = (key: string | null | undefined, place: string): string | null => (key == null ? null : checkedKey(key, place) || null)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadSetting('BENCH_PROVIDERS is not JSON.', { cause })
  }
}
