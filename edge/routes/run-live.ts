import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { UnderWay } from '#shared/contract/live.ts'
import { type PendingReason, RunPending } from '#shared/contract/pending.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { AppEnv } from '../app-env.ts'
import { ownersOf } from '../auth/team-access.ts'
import type { Deps, FleetRun, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { sightOf } from './agents.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { maxInteger, RunItemParams, RunParams } from './parameters.ts'
import { forecastsOf, withheldBenchmarks } from './run-access.ts'
import { getPlanned } from './run-items.ts'
import { LiveFrame } from './stream-frame.ts'

const live = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/items/{benchmark}/{item_id}/live',
  access: { who: 'reader of the run', state: 'live' },
  cost: 'stream',
  summary: 'One trial while it runs, as server-sent events (`?epoch=`, default 0)',
  description:
    'The answers of the trial as they grow, its steps, and what its solver says. A stream begins with what is known already and ends with a message of type `done`: the record, which tells it all, follows within seconds. Nothing of the stream is kept. Texts of a gated data set are for the run’s owner only.',
  request: { params: RunItemParams, query: z.object({ epoch: queryInteger(0, maxInteger).default(0) }) },
  responses: {
    200: { description: 'The stream', content: { 'text/event-stream': { schema: LiveFrame } } },
    ...refusals(
      'validation',
      'unauthorized',
      'forbidden',
      'run-not-found',
      'benchmark-not-in-run',
      'item-not-found',
      'too-many-viewers',
      'rate-limited',
      'unavailable',
    ),
  },
})
const underWay = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/under-way',
  access: { who: 'reader of the run', state: 'live' },
  cost: 'cheap',
  summary: 'The trials of a run that agents have now, at most 50 of them, those that began first',
  request: { params: RunParams },
  responses: { 200: json(UnderWay, 'The trials'), ...refusals('unauthorized', 'run-not-found', 'unavailable') },
})

const pending = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/pending',
  access: { who: 'reader of the run', state: 'live' },
  cost: 'cheap',
  summary: 'Why a run has fewer trials under way than it could have',
  description: 'Runs that hold a resource are named by id where the reader may see them. A run that is paused or has ended has no reasons.',
  request: { params: RunParams },
  responses: { 200: json(RunPending, 'The reasons'), ...refusals('unauthorized', 'run-not-found', 'unavailable') },
})

const doneStream = 'retry: 2000\ndata: {"type":"done"}\n\n'
const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

export function runLiveRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(live, async (c) => {
      const { benchmark, item_id } = c.req.valid('param')
      const { epoch } = c.req.valid('query')
      const { spec, head } = c.get('run')
      const planned = getPlanned(c.get('run'), benchmark)
      if (withheldBenchmarks(spec, c.get('principal')).has(planned.name))
        throw new Problem('forbidden', `The items of ${planned.name} are gated: while they are answered, only the run’s owner may watch.`)
      if (isTerminal(head.status)) return new Response(doneStream, { headers: streamHeaders })
      if (c.req.method === 'HEAD') return new Response(null, { headers: streamHeaders })
      const stream = await deps.runs.watch(spec.run_id, { benchmark: planned.name, item_id, epoch }, c.req.raw)
      if (stream.status === 404)
        throw new Problem('item-not-found', `Item ${item_id.slice(0, 80)} of ${planned.name}, epoch ${epoch}, is not part of this run.`)
      if (stream.status === 429)
        throw new Problem('too-many-viewers', 'As many watch trials of this run now as it can serve. Try again in a moment.', {
          retry_after_s: 10,
        })
      return stream
    })
    .openapi(pending, async (c) => {
      const { spec, head } = c.get('run')
      const waits = head.status === 'queued' || head.status === 'running'
      const [{ agents, runs }, told, forecasts] = await Promise.all([
        deps.fleet.overview(),
        waits ? deps.fleet.pending(spec.run_id) : { given: 0, reasons: [] },
        forecastsOf([c.get('run')], deps),
      ])
      const nowMs = deps.now().getTime()
      const heard = agents.filter((agent) => !sightOf(agent, nowMs).silent).length
      const seen = new Set(runs.filter((run) => maySee(run, c.get('principal'))).map(({ run_id }) => run_id))
      const reasons = told.reasons.map((reason) => withoutOthers(reason, seen))
      return c.json(
        { agents: heard, silent_agents: agents.length - heard, given: told.given, reasons, forecast: forecasts[spec.run_id] ?? null },
        200,
      )
    })
    .openapi(underWay, async (c) => {
      const { spec, head } = c.get('run')
      return c.json(isTerminal(head.status) ? { trials: [], total: 0 } : await deps.runs.underWay(spec.run_id), 200)
    })
}

/** Whether lists show a run to this visitor. */
const maySee = ({ owner_id, visibility }: FleetRun, principal: Principal): boolean =>
  visibility === 'public' || ownersOf(principal).includes(owner_id) || principal.scopes.includes('admin')

const withoutOthers = (reason: PendingReason, seen: ReadonlySet<string>): PendingReason =>
  reason.kind !== 'busy'
    ? reason
    : {
        ...reason,
        holders: reason.holders.map((one) => ({ ...one, run_id: one.run_id !== null && seen.has(one.run_id) ? one.run_id : null })),
      }
