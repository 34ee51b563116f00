import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { ItemSummary, StoredRun } from '#db/store.ts'
import { BenchmarkPage, ItemPage, ItemQuery, RunItemDetail } from '#shared/contract/api.ts'
import type { Card } from '#shared/contract/card.ts'
import { ItemRowPage, ItemRowQuery } from '#shared/contract/item-rows.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { costUsd, noUsage } from '#shared/contract/usage.ts'
import { toRunItem } from '#shared/export/run-item.ts'
import { toBenchmarkResult } from '#shared/run/run-view.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { linkArtifacts, readItemName, withhold, withholdEpochs, withholdRow } from './item-view.ts'
import { maxInteger, RunBenchmarkParams, RunItemParams, RunParams } from './parameters.ts'
import { withheldBenchmarks } from './run-access.ts'

const notFound = refusals('validation', 'unauthorized', 'run-not-found', 'benchmark-not-in-run', 'item-not-found', 'unavailable')
const AllItemsQuery = ItemQuery.extend({ benchmark: z.string().max(60).optional() })

const page = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/benchmarks/{name}',
  access: { who: 'reader of the run', state: 'live' },
  cost: 'search',
  summary: 'A benchmark of a run: result, summary and a filtered page of its items',
  request: { params: RunBenchmarkParams, query: ItemQuery },
  responses: { 200: json(BenchmarkPage, 'The page'), ...notFound },
})
const list = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/items',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'search',
  summary: 'A filtered page of the items of all benchmarks of a run',
  description: 'A search (`q`) counts as far as the thousand in which the page ends; `next_offset` leads on to all it finds.',
  request: { params: RunParams, query: AllItemsQuery },
  responses: { 200: json(ItemPage, 'The page'), ...notFound },
})
const rows = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/rows',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'search',
  summary: 'A window of the item list: lines without texts, its length, and counts for its filters',
  description:
    '`around=benchmark:item_id:epoch` gives the page that holds the place of an item, and that place. `until` keeps the list of a living run as it was at an event: pass the `until` of the first answer. A search (`q`) counts as far as the thousand in which the window ends.',
  request: { params: RunParams, query: ItemRowQuery },
  responses: { 200: json(ItemRowPage, 'The window'), ...notFound },
})
const item = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/items/{benchmark}/{item_id}',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'search',
  summary: 'One item by its permalink (`?epoch=`, default 0), with its neighbours in the given filter',
  request: { params: RunItemParams, query: ItemQuery },
  responses: { 200: json(RunItemDetail, 'The item'), ...notFound },
})

export function runItemRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(page, async (c) => {
      const run = c.get('run')
      const planned = getPlanned(run, c.req.valid('param').name)
      const withheld = withheldBenchmarks(run.spec, c.get('principal'))
      const query = inRange(c.req.valid('query'))
      const [{ items, total, total_is, next }, summary] = await Promise.all([
        deps.store.listItems(run.spec.run_id, planned.name, query, [...withheld]),
        deps.store.summarise(run.spec.run_id, planned.name),
      ])
      const benchmark = toBenchmarkResult(planned, run, findCard(planned.name, deps))
      const listed = items.map((trial) => toRunItem(withhold(trial, withheld)))
      const { limit, offset } = query
      return c.json(
        {
          benchmark,
          items: { items: listed, total, total_is, limit, offset, next_offset: next },
          summary: toSummary(summary, run.spec, withheld.has(planned.name)),
        },
        200,
      )
    })
    .openapi(list, async (c) => {
      const run = c.get('run')
      const withheld = withheldBenchmarks(run.spec, c.get('principal'))
      const query = inRange(c.req.valid('query'))
      const list = await deps.store.listItems(run.spec.run_id, nameOf(run, query.benchmark) ?? null, query, [...withheld])
      const items = list.items.map((trial) => toRunItem(withhold(trial, withheld)))
      const { total, total_is, next } = list
      return c.json({ items, total, total_is, limit: query.limit, offset: query.offset, next_offset: next }, 200)
    })
    .openapi(rows, async (c) => {
      const run = c.get('run')
      const withheld = withheldBenchmarks(run.spec, c.get('principal'))
      const asked = inRange(c.req.valid('query'))
      const query = { ...asked, benchmark: nameOf(run, asked.benchmark) }
      const list = await deps.store.listItemRows(run.spec.run_id, query, readItemName(query.around), [...withheld])
      return c.json({ ...list, rows: list.rows.map((row) => withholdRow(row, withheld)), limit: query.limit }, 200)
    })
    .openapi(item, async (c) => {
      const { benchmark, item_id } = c.req.valid('param')
      const run = c.get('run')
      const planned = getPlanned(run, benchmark)
      const withheld = withheldBenchmarks(run.spec, c.get('principal'))
      const { epoch = 0, ...filter } = inRange(c.req.valid('query'))
      const found = await deps.store.findItem(run.spec.run_id, planned.name, item_id, epoch, filter, [...withheld])
      const card = findCard(planned.name, deps)
      if (!found || !card)
        throw new Problem(
          'item-not-found',
          `Item ${item_id.slice(0, 80)} of ${planned.name}, epoch ${epoch}, has no result in this run (yet).`,
        )
      const trial = withhold(found.trial, withheld)
      return c.json(
        {
          item: toRunItem(trial),
          record: trial.record,
          artifacts: linkArtifacts(run.spec.run_id, trial.record, deps.artifacts !== null),
          card,
          previous: found.previous,
          next: found.next,
          epochs: withholdEpochs(found.epochs, withheld.has(planned.name)),
        },
        200,
      )
    })
}

/** A benchmark of the run, named in any case. */
export function getPlanned(run: StoredRun, name: string): RunSpec['benchmarks'][number] {
  const planned = run.spec.benchmarks.find((benchmark) => benchmark.name === name.toLowerCase())
  if (planned) return planned
  const known = run.spec.benchmarks.map((benchmark) => benchmark.name).join(', ')
  throw new Problem('benchmark-not-in-run', `This run has no benchmark ${JSON.stringify(name.slice(0, 80))}; it has: ${known}.`)
}

/** The name of a benchmark of the run, as a filter may give it in any case. */
function nameOf(run: StoredRun, benchmark: string | undefined): string | undefined {
  return benchmark === undefined ? undefined : getPlanned(run, benchmark).name
}

/** Keeps numbers within the database's range. */
function inRange<Q extends { offset: number; after?: number | undefined; until?: number | undefined; epoch?: number | undefined }>(
  query: Q,
): Q {
  const cap = (value: number | undefined) => (value === undefined ? undefined : Math.min(value, maxInteger))
  const { offset, after, until, epoch } = query
  return { ...query, offset: Math.min(offset, maxInteger), after: cap(after), until: cap(until), epoch: cap(epoch) }
}

function findCard(name: string, deps: Pick<Deps, 'cards'>): Card | undefined {
  return deps.cards.find((card) => card.name === name)
}

function toSummary(summary: ItemSummary, spec: RunSpec, withheld: boolean): BenchmarkPage['summary'] {
  const { input_tokens, output_tokens, cost_usd } = summary
  const cost = (side: 'input_tokens' | 'output_tokens', tokens: number) => costUsd({ ...noUsage, [side]: tokens }, spec.price)
  return {
    total_items: summary.correct + summary.incorrect + summary.errors,
    correct: summary.correct,
    incorrect: summary.incorrect,
    errors: summary.errors,
    avg_latency_ms: summary.avg_latency_ms,
    avg_ttft_ms: summary.avg_ttft_ms,
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    input_cost_usd: cost('input_tokens', input_tokens),
    output_cost_usd: cost('output_tokens', output_tokens),
    total_cost_usd: cost_usd,
    pricing_input_per_million_usd: spec.price?.input_per_million_usd ?? null,
    pricing_output_per_million_usd: spec.price?.output_per_million_usd ?? null,
    error_breakdown: withheld ? [] : summary.error_breakdown,
  }
}
