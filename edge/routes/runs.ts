import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { runSorts } from '#db/store.ts'
import { Run, RunList } from '#shared/contract/api.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { RunStatus } from '#shared/contract/run.ts'
import { TeamId } from '#shared/contract/team-place.ts'
import type { AppEnv } from '../app-env.ts'
import { requireOwner } from '../auth/principal.ts'
import { actingOwner, ownersOf } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { pageOffset, RunParams } from './parameters.ts'
import { arrivingOf, forecastsOf, pulseOf, withLiveHead } from './run-access.ts'
import { toRun } from './run-view.ts'

/** A day, which is meant whole, or a moment with its zone. */
const Day = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const [earliestMs, latestMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
/** In UTC and within the years that the database knows, which takes no offset of 16 hours and no year 0. */
const inUtc = (moment: string): string => new Date(Math.min(Math.max(Date.parse(moment), earliestMs), latestMs)).toISOString()
const RunQuery = z.object({
  status: z.string().min(1).max(40).optional(),
  model_id: z.string().max(300).optional(),
  model_slug: z.string().max(300).optional(),
  /** Only the viewer's own and his teams'; nobody's for a visitor without a key. */
  mine: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  team: TeamId.optional(),
  q: z.string().max(300).optional(),
  tag: z.string().max(40).optional(),
  benchmark: z.string().max(60).optional(),
  since: Day.transform(inUtc).optional(),
  until: Day.transform((moment) => inUtc(moment.length === 10 ? `${moment}T23:59:59.999Z` : moment)).optional(),
  ids: z
    .string()
    .max(4000)
    .transform((text) => text.split(',').filter(Boolean).slice(0, 100))
    .optional(),
  sort: z.enum(runSorts).default('newest'),
  limit: queryInteger(1, 200).default(50),
  offset: pageOffset,
})

const list = declareRoute({
  method: 'get',
  path: '/api/runs',
  access: { who: 'anyone, more with a key' },
  cost: 'search',
  summary: 'Public runs, your own and those of your teams: narrowed, searched and sorted, newest first by default',
  request: { query: RunQuery },
  responses: {
    200: json(RunList, 'A page of runs and their true number'),
    ...refusals('validation', 'unauthorized', 'team-not-found', 'unavailable'),
  },
})
const show = declareRoute({
  method: 'get',
  path: '/api/runs/{id}',
  access: { who: 'reader of the run', state: 'live' },
  cost: 'cheap',
  summary: 'One run with its live state',
  request: { params: RunParams },
  responses: { 200: json(Run, 'The run'), ...refusals('unauthorized', 'run-not-found', 'unavailable') },
})

/** Whose private runs are listed: those of the named team alone, else the visitor's own and his teams'. */
function viewersOf(principal: Principal, team: string | undefined, mine?: boolean): { viewers: string[]; mine: boolean | undefined } {
  if (team === undefined) return { viewers: ownersOf(principal), mine }
  const owner_id = requireOwner(principal, 'runs:read')
  return { viewers: [actingOwner({ ...principal, owner_id }, team, 'read')], mine: true }
}

export function runRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const principal = c.get('principal')
      const { status, team, ...query } = c.req.valid('query')
      const wanted = RunStatus.optional().safeParse(status)
      // As the predecessor had it: no run is in a status that does not exist.
      if (!wanted.success) return c.json({ runs: [], total: 0 }, 200)
      const until = query.until && (query.until.length === 10 ? `${query.until}T23:59:59.999Z` : query.until)
      const filter = { ...query, until, ...(wanted.data && { status: wanted.data }), ...viewersOf(principal, team, query.mine) }
      const { runs, total } = await deps.store.listRuns(filter)
      const live = await Promise.all(runs.map((run) => withLiveHead(run, deps)))
      const forecasts = await forecastsOf(live, deps)
      const shown = live.map((run) => ({ ...toRun(run, principal, deps), forecast: forecasts[run.spec.run_id] ?? null }))
      return c.json({ runs: shown, total }, 200)
    })
    .openapi(show, async (c) => {
      const principal = c.get('principal')
      const run = c.get('run')
      const [pulse, arriving, forecasts] = await Promise.all([
        pulseOf(run, principal, deps),
        arrivingOf(run, deps),
        forecastsOf([run], deps),
      ])
      const forecast = forecasts[run.spec.run_id] ?? null
      return c.json({ ...toRun(run, principal, deps), pulse, arriving, forecast }, 200)
    })
}
