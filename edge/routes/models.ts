import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { ModelList } from '#shared/contract/api.ts'
import type { Model } from '#shared/contract/model.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { CatalogueAway } from '../adapters/chutes-catalogue.ts'
import { onceConfigured, syncModels } from '../adapters/sync-models.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { keyFor, type OwnKeys, ownKeysOf, ownModels, refreshLists } from '../provider-keys/own-keys.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { pageOffset } from './parameters.ts'

const ModelQuery = z.object({
  search: z.string().max(200).optional(),
  provider: z.string().max(60).optional(),
  limit: queryInteger(1, 500).default(100),
  offset: pageOffset,
})
const list = declareRoute({
  method: 'get',
  path: '/api/models',
  access: { who: 'anyone, more with a key' },
  cost: 'search',
  summary: 'Models to choose from, with those of providers that you have saved a key for',
  request: { query: ModelQuery },
  responses: { 200: json(ModelList, 'A page of models and their true number'), ...refusals('validation', 'unauthorized', 'unavailable') },
})
const sync = declareRoute({
  method: 'post',
  audits: 'models.sync',
  path: '/api/admin/sync-models',
  access: { who: 'key holder', scope: 'admin' },
  cost: 'cheap',
  summary: 'Admin: read the catalogue again',
  responses: {
    200: json(z.object({ synced: z.int(), deactivated: z.int(), message: z.string() }), 'What changed'),
    ...refusals('unauthorized', 'forbidden', 'unavailable'),
  },
})

export function modelRoutes(deps: Deps) {
  const configured = onceConfigured(deps)
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      await configured()
      const own = await ownKeysOf(c.get('principal').owner_id, deps)
      refreshLists(own, deps)
      return c.json(await listWithOwn(c.req.valid('query'), own, deps), 200)
    })
    .openapi(sync, async (c) => {
      const { synced, deactivated } = await syncOrExplain(deps)
      return c.json({ synced, deactivated, message: `${synced} models read, ${deactivated} no longer offered` }, 200)
    })
}

type Asked = z.output<typeof ModelQuery>

/** A page of models: those of the asker's own providers first, by name, then those of the service. */
async function listWithOwn(asked: Asked, own: OwnKeys, { store, config }: Deps): Promise<z.infer<typeof ModelList>> {
  const { search = '', provider, limit, offset } = asked
  const fits = ({ slug, provider: by }: Model) =>
    (provider === undefined || by === provider) && slug.toLowerCase().includes(search.toLowerCase())
  const mine = (await ownModels(own)).filter(fits).sort((a, b) => a.name.localeCompare(b.name))
  const shown = mine.slice(offset, offset + limit)
  // The record may hold models of providers that the service no longer has, and models of an own provider
  // that were listed with another key.
  const providers = config.providers.flatMap(({ id }) => (keyFor(id, own)?.models ? [] : id))
  const others = await store.listModels({ ...asked, providers, limit, offset: Math.max(0, offset - mine.length) })
  return { models: [...shown, ...others.models.slice(0, limit - shown.length)], total: mine.length + others.total }
}

async function syncOrExplain(deps: Deps) {
  try {
    return await syncModels(deps)
  } catch (cause) {
    if (cause instanceof CatalogueAway) throw new Problem('unavailable', cause.message, { retry_after_s: 30, cause })
    throw cause
  }
}
