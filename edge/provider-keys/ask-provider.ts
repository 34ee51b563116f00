import type { KeyVerdict } from '#shared/contract/provider-keys.ts'
import type { OwnProvider } from '#shared/contract/run.ts'
import { withV1 } from '#shared/providers/base-url.ts'
import type { ListedModel } from '#shared/providers/listed-model.ts'
import { readModelList } from '#shared/providers/model-list.ts'
import { defOf } from '#shared/providers/providers.ts'
import { readJson } from '../adapters/read-json.ts'
import type { Deps } from '../deps.ts'

const timeoutMs = 8_000
/** The longest lists of today are a megabyte. */
const mostChars = 8_000_000
/** Most models of a provider that its key's owner is offered. */
export const mostModels = 1000

/** What a provider told: about the key, its models (null: no list that reads), and the address below which its list stands. */
export type Told = { verdict: KeyVerdict; models: ListedModel[] | null; base_url: string }

type Ports = Pick<Deps, 'fetch' | 'chutesKeys'>

/**
 * Asks a provider for the models that a key opens and whether the key is good, where that costs nothing. A list that everybody
 * may read says nothing of a key: it is asked for once without. The key goes to this provider alone, and no redirect is followed.
 */
export async function askProvider(provider: OwnProvider, key: string, ports: Ports): Promise<Told> {
  const { base_url, list } = await findList(provider, key, ports)
  const models = list.json === undefined ? null : (readModelList(list.json, defOf(provider))?.slice(0, mostModels) ?? null)
  return { verdict: await verdictOf({ ...provider, base_url }, key, list.status, ports), models, base_url }
}

type Answer = { status: number | null; json?: unknown }

/** The list at the address, or below `/v1` where the address has none. */
async function findList(provider: OwnProvider, key: string, ports: Ports): Promise<{ base_url: string; list: Answer }> {
  const list = await listAt(provider, provider.base_url, key, ports)
  const deeper = list.status === 404 ? withV1(provider.base_url) : null
  const below = deeper === null ? undefined : await listAt(provider, deeper, key, ports)
  if (deeper === null || below?.status !== 200) return { base_url: provider.base_url, list }
  return { base_url: deeper, list: below }
}

const listAt = (provider: OwnProvider, base_url: string, key: string | null, ports: Ports): Promise<Answer> =>
  getJson(defOf(provider).listUrls(base_url)[0]!, key, ports)

async function verdictOf(provider: OwnProvider, key: string, listed: number | null, ports: Ports): Promise<KeyVerdict> {
  if (provider.kind === 'chutes') return chutesVerdict(key, ports)
  const url = defOf(provider).keyUrl(provider.base_url)
  if (url !== null) return verdictBy((await getJson(url, key, ports)).status)
  if (listed !== 200) return verdictBy(listed)
  const { status } = await listAt(provider, provider.base_url, null, ports)
  return status === 401 || status === 403 ? 'good' : 'untold'
}

async function chutesVerdict(key: string, { chutesKeys }: Ports): Promise<KeyVerdict> {
  const { is } = await chutesKeys.check(key)
  return is === 'good' ? 'good' : is === 'bad' ? 'refused' : 'untold'
}

/** A key may be known and not allowed to list models (403), which says nothing of its calls. */
const verdictBy = (status: number | null): KeyVerdict => (status === 200 ? 'good' : status === 401 ? 'refused' : 'untold')

/**
 * Sends one GET request. `status` is null if no answer came. `json` is undefined if the body is too long
 * or is not JSON.
 */
async function getJson(url: string, key: string | null, { fetch }: Ports): Promise<Answer> {
  try {
    const headers = { accept: 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    if (response.status === 200) return { status: 200, json: await readJson(response, mostChars) }
    await response.body?.cancel()
    return { status: response.status }
  } catch {
    return { status: null }
  }
}
