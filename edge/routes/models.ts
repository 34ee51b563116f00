import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { ModelList } from '#shared/contract/api.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { CatalogueAway } from '../adapters/chutes-catalogue.ts'
import { onceConfigured, syncModels } from '../adapters/sync-models.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
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
  access: { who: 'anyone' },
  cost: 'search',
  summary: 'Models to choose from',
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
      // The record may know models of providers that this service had before.
      const providers = deps.config.providers.map((one) => one.id)
      return c.json(await deps.store.listModels({ ...c.req.valid('query'), providers }), 200)
    })
    .openapi(sync, async (c) => {
      const { synced, deactivated } = await syncOrExplain(deps)
      return c.json({ synced, deactivated, message: `${synced} models read, ${deactivated} no longer offered` }, 200)
    })
}

async function syncOrExplain(deps: Deps) {
  try {
    return await syncModels(deps)
  } catch (cause) {
    if (cause instanceof CatalogueAway) throw new Problem('unavailable', cause.message, { retry_after_s: 30, cause })
    throw cause
  }
}
