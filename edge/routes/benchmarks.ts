import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { DatabaseAway } from '#db/store.ts'
import { type BenchmarkInfo, BenchmarkList } from '#shared/contract/api.ts'
import type { Card } from '#shared/contract/card.ts'
import { ProviderId } from '#shared/contract/create-run.ts'
import { itemsIn } from '#shared/run/build-spec.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { getProvider } from './run-model.ts'

const list = declareRoute({
  method: 'get',
  path: '/api/benchmarks',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Benchmarks to choose from, on the data a run with this provider would use',
  request: { query: z.object({ provider: ProviderId.optional() }) },
  responses: { 200: json(BenchmarkList, 'All of them'), ...refusals('validation', 'unauthorized', 'unknown-provider') },
})

export function benchmarkRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(list, async (c) => {
    const provider = (getProvider(c.req.valid('query').provider, deps.config) ?? deps.config.providers[0])?.id ?? 'chutes'
    const latencies = await latenciesIfAny(deps)
    return c.json({ benchmarks: deps.cards.map((card) => toInfo(card, latencies, provider, deps)) }, 200)
  })
}

/** Measured latencies decorate the list; it is shown without them while the database is away. */
async function latenciesIfAny(deps: Deps): Promise<Record<string, number>> {
  try {
    return await deps.store.listBenchmarkLatency()
  } catch (error) {
    if (error instanceof DatabaseAway) return {}
    throw error
  }
}

function toInfo(card: Card, latencies: Record<string, number>, provider: string, deps: Deps): BenchmarkInfo {
  const data = deps.dataFor(card.name, 'auto', provider)
  return {
    name: card.name,
    display_name: card.display_name,
    description: card.description,
    category: card.category,
    is_enabled: data !== undefined,
    supports_subset: true,
    requires_setup: card.setup_notes !== null,
    setup_notes: card.setup_notes,
    default_selected: card.default_selected,
    total_items: data ? itemsIn(card, data) : card.total_items,
    avg_item_latency_ms: latencies[card.name] ?? null,
    data_source: data?.source ?? 'pinned',
    card,
  }
}
