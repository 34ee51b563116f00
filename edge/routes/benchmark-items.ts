import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { ProviderId } from '#shared/contract/asked-params.ts'
import { CreateRun } from '#shared/contract/create-run.ts'
import { type ItemList, ItemListPage, type ListedData, type ListedItem } from '#shared/contract/item-list.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { listedDataOf } from '#shared/run/build-spec.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { getItemList } from './item-lists.ts'
import { pageOffset } from './parameters.ts'
import { servingProvider } from './run-model.ts'

const list = declareRoute({
  method: 'get',
  path: '/api/benchmarks/{name}/items',
  access: { who: 'anyone' },
  cost: 'search',
  summary: 'Ids, keys and groups of the items of a benchmark, to choose from',
  description:
    'The data are those that a run with this provider would use. An agent reads them when they are asked for the first time; until it has, the answer is 503 with `Retry-After`.',
  request: {
    params: z.object({ name: z.string() }),
    query: z.object({
      provider: ProviderId.optional(),
      data: CreateRun.shape.data,
      profile: z.string().max(40).optional(),
      search: z.string().max(200).optional(),
      group: z.string().max(300).optional(),
      limit: queryInteger(1, 500).default(100),
      offset: pageOffset,
    }),
  },
  responses: {
    200: json(ItemListPage, 'A page of the items'),
    ...refusals('validation', 'unauthorized', 'unknown-provider', 'unknown-benchmark', 'not-found', 'rate-limited', 'unavailable'),
  },
})

/** Lists of the items that benchmarks have here. */
export function benchmarkItemRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(list, async (c) => {
    const { provider, data, profile, search, group, limit, offset } = c.req.valid('query')
    const served = await servingProvider(provider, c.get('principal'), deps)
    const of = getListed(c.req.valid('param').name, { data, profile }, served, deps)
    const items = itemsOf(await getItemList(of, c.get('principal'), deps))
    const matching = items.filter((item) => (group === undefined || item.group === group) && matches(item, search))
    const shown = matching.slice(offset, offset + limit)
    const end = offset + shown.length
    return c.json(
      {
        ...{ benchmark: of.name, profile: of.profile, data_source: of.data.source, total: items.length, matching: matching.length },
        groups: groupsOf(items),
        items: shown,
        next: end < matching.length && shown.length > 0 ? end : null,
      },
      200,
    )
  })
}

/** The benchmark on the data and with the profile that were asked for. A profile that it does not have, or data that are not offered, is nothing that is here. */
function getListed(name: string, asked: Pick<CreateRun, 'data' | 'profile'>, provider: string, deps: Deps): ListedData {
  try {
    return listedDataOf(name, asked, provider, deps)
  } catch (cause) {
    throw cause instanceof RunRefused && cause.code === 'validation' ? new Problem('not-found', cause.message, { cause }) : cause
  }
}

function itemsOf({ keys, groups, group_of }: ItemList): ListedItem[] {
  return keys.map((key, id) => {
    const place = group_of[id]
    return { item_id: String(id), key, group: place == null ? null : groups[place]! }
  })
}

function matches({ item_id, key, group }: ListedItem, search = ''): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [item_id, key, group].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

function groupsOf(items: readonly ListedItem[]): { group: string; items: number }[] {
  const counts = new Map<string, number>()
  for (const { group } of items) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1)
  return Array.from(counts, ([group, count]) => ({ group, items: count }))
}
