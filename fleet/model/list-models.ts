import * as z from 'zod'
import type { ListedModel } from '#shared/providers/listed-model.ts'
import type { ConfiguredProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'

const ModelList = z.object({ data: z.array(z.unknown()) })
/** The longest lists of today are a megabyte. */
const mostChars = 16_000_000

/** The answer of `{base}/models` is no list of models. */
export class NoModelList extends Error {}

/**
 * The models a provider lists, with what it tells of them; an entry that does not read is left out. Rejects with `NoModelList`, with the status
 * of a refusal as an Error, and with whatever `fetch` rejects with.
 */
export async function listModels(
  provider: Pick<ConfiguredProvider, 'kind' | 'base_url'>,
  apiKey: string | null,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const url = new URL(provider.base_url)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  // A redirect would take the key to another host.
  const response = await fetcher(url.href, { headers, redirect: 'manual', signal })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const text = await response.text()
  if (text.length > mostChars) throw new NoModelList('it is longer than any list of models')
  const { readListed } = defOf(provider)
  return listIn(text).flatMap((entry) => readListed(entry) ?? [])
}

function listIn(text: string): unknown[] {
  try {
    return ModelList.parse(JSON.parse(text)).data
  } catch (cause) {
    throw new NoModelList('it is not a list of models', { cause })
  }
}
