import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { DatabaseAway } from '#db/store.ts'
import { type BenchmarkInfo, BenchmarkList } from '#shared/contract/api.ts'
import { ProviderId } from '#shared/contract/asked-params.ts'
import type { Card } from '#shared/contract/card.ts'
import { holdsSandbox, provedPools, type SandboxPool } from '#shared/contract/resources.ts'
import { itemsIn } from '#shared/run/build-spec.ts'
import { sandboxText } from '#shared/run/needs-text.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { servingProvider } from './run-model.ts'

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
    const provider = await servingProvider(c.req.valid('query').provider, c.get('principal'), deps)
    const [latencies, { agents }] = await Promise.all([latenciesIfAny(deps), deps.fleet.overview()])
    const pools = agents.flatMap(({ resources }) => (resources ? provedPools(resources) : []))
    return c.json(
      { benchmarks: deps.cards.map((card) => ({ ...toInfo(card, latencies, provider, deps), lacks: lackOf(card, pools) })) },
      200,
    )
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

/** The sandbox that a trial needs and no connected agent has, in words. */
function lackOf({ needs }: Card, pools: readonly SandboxPool[]): string | null {
  return needs?.sandbox && !holdsSandbox(pools, needs.sandbox) ? sandboxText(needs.sandbox) : null
}

function toInfo(card: Card, latencies: Record<string, number>, provider: string, deps: Deps): Omit<BenchmarkInfo, 'lacks'> {
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
