import * as z from 'zod'
import type { Model } from '#shared/contract/model.ts'
import { ChutesServed, chutesListed, chutesPrice } from '#shared/providers/chutes.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import type { Deps } from '../deps.ts'

const pageSize = 500
const maxPages = 40
const timeoutMs = 20_000

const text = z.string().nullish().catch(null)
const amount = z
  .object({ usd: z.number().min(0) })
  .nullish()
  .catch(null)

/** One chute as the public catalogue lists it; a field of an unexpected form reads as absent. */
const Chute = z.object({
  chute_id: z.string().min(1),
  name: z.string().min(1),
  tagline: text,
  logo: text,
  public: z.boolean().nullish().catch(null),
  hot: z.boolean().nullish().catch(null),
  standard_template: text,
  user: z.object({ username: z.string() }).nullish().catch(null),
  instances: z.array(z.unknown()).nullish().catch(null),
  current_estimated_price: z
    .object({ per_million_tokens: z.object({ input: amount, output: amount }).nullish().catch(null) })
    .nullish()
    .catch(null),
})
type Chute = z.infer<typeof Chute>
const CataloguePage = z.object({ total: z.int().nullish().catch(null), items: z.array(z.unknown()) })

const ServedList = z.object({ data: z.array(z.unknown()) })

/** The catalogue or the list of served models could not be read. */
export class CatalogueAway extends Error {}

/**
 * Reads the language models of Chutes: the public catalogue (never with an Authorization header: an unsuitable one is answered 401),
 * joined with limits and prices of the inference endpoint's list. Chutes that share a name stay apart by their chute id.
 * Without the second list, a chute counts as active when it has a price per token. Throws `CatalogueAway`.
 */
export async function fetchChutesModels(deps: Pick<Deps, 'config' | 'fetch' | 'now'>): Promise<Model[]> {
  const [chutes, served] = await Promise.all([fetchCatalogue(deps), fetchServed(deps)])
  const models = chutes
    .filter((chute) => chute.public !== false && (chute.standard_template === 'vllm' || chute.current_estimated_price?.per_million_tokens))
    .map((chute) => toModel(chute, served, deps.now()))
  if (models.length === 0) throw new CatalogueAway('The Chutes catalogue lists no language model; the known ones are kept.')
  return models
}

async function fetchCatalogue(deps: Pick<Deps, 'config' | 'fetch'>): Promise<Chute[]> {
  const base = `${deps.config.chutes.catalogue_url.replace(/(\/chutes)?\/*$/, '')}/chutes/`
  const chutes = new Map<string, Chute>()
  for (let page = 0; page < maxPages; page++) {
    const url = `${base}?include_public=true&page=${page}&limit=${pageSize}&include_schemas=false`
    const { items, total } = await fetchJson(url, CataloguePage, deps)
    for (const chute of keepGood(items, Chute)) chutes.set(chute.chute_id, chute)
    const end = items.length < pageSize || (total != null && (page + 1) * pageSize >= total)
    if (end) break
  }
  return [...chutes.values()]
}

async function fetchServed(deps: Pick<Deps, 'config' | 'fetch'>): Promise<ChutesServed[] | undefined> {
  try {
    const list = await fetchJson(`${deps.config.chutes.llm_url.replace(/\/+$/, '')}/models`, ServedList, deps)
    return keepGood(list.data, ChutesServed)
  } catch (error) {
    if (error instanceof CatalogueAway) return undefined
    throw error
  }
}

async function fetchJson<T>(url: string, schema: z.ZodType<T>, deps: Pick<Deps, 'fetch'>): Promise<T> {
  try {
    const response = await deps.fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) throw new CatalogueAway(`${new URL(url).host} answered ${response.status}.`)
    return schema.parse(await response.json())
  } catch (cause) {
    if (cause instanceof CatalogueAway) throw cause
    throw new CatalogueAway(`${new URL(url).host} could not be read.`, { cause })
  }
}

function keepGood<T>(items: readonly unknown[], schema: z.ZodType<T>): T[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

function toModel(chute: Chute, served: ChutesServed[] | undefined, now: Date): Model {
  const offer = served?.find((one) => one.chute_id === chute.chute_id) ?? served?.find((one) => !one.chute_id && one.id === chute.name)
  const price = chutesPrice(offer, chute.current_estimated_price?.per_million_tokens)
  const { id: _, ...known } = offer ? chutesListed(offer) : namedModel(chute.name)
  return {
    ...known,
    id: chute.chute_id,
    slug: chute.name,
    name: chute.name,
    provider: 'chutes',
    tagline: chute.tagline || null,
    user: chute.user?.username ?? null,
    logo: chute.logo || null,
    chute_id: chute.chute_id,
    // A hot chute has an instance, listed or not; clients of the predecessor hide models without one.
    instance_count: chute.instances?.length ?? (chute.hot === true ? 1 : 0),
    is_active: served ? offer !== undefined || chute.hot === true : price !== null,
    price,
    synced_at: now.toISOString(),
  }
}
