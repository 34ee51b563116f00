import type { ListedModel } from '#shared/providers/listed-model.ts'
import { readModelList } from '#shared/providers/model-list.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { sentHeaders } from '#shared/providers/provider-headers.ts'
import { defOf } from '#shared/providers/providers.ts'

/** The longest lists of today are a megabyte. */
const mostChars = 16_000_000

/** The answer of a provider's address for models is no list of models. */
export class NoModelList extends Error {}

/**
 * The models a provider lists, with what it tells of them; an entry that does not read is left out. Rejects with `NoModelList`, with the status
 * of a refusal as an Error, and with whatever `fetch` rejects with: of several addresses, as the last one does.
 */
export async function listModels(
  provider: Pick<KeyedProvider, 'kind' | 'base_url' | 'headers'>,
  apiKey: string | null,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const def = defOf(provider)
  const urls = def.listUrls(provider.base_url)
  for (const [at, url] of urls.entries()) {
    try {
      const listed = readModelList(await readJson(url, sentHeaders(provider, apiKey), fetcher, signal), def)
      if (listed) return listed
      throw new NoModelList('it is not a list of models')
    } catch (error) {
      if (at === urls.length - 1 || signal.aborted) throw error
    }
  }
  return []
}

/** What a GET answers, as JSON. Rejects as `listModels` does. */
export async function readJson(url: string, headers: Record<string, string>, fetcher: typeof fetch, signal: AbortSignal): Promise<unknown> {
  // A redirect would take the key to another host.
  const response = await fetcher(url, { headers, redirect: 'manual', signal })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const text = await response.text()
  if (text.length > mostChars) throw new NoModelList('it is longer than any list of models')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new NoModelList('it is not a list of models', { cause })
  }
}
