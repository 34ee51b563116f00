import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { BoardPage, StoredBoard, StoredBoardRow, StoredEntry } from '#db/store.ts'
import { chooseBoard } from '#shared/board/choose-board.ts'
import { ranksOf } from '#shared/board/rank-rows.ts'
import {
  type ApartRun,
  Board,
  type BoardRow,
  type BoardRun,
  type BoardSetup,
  boardSorts,
  Leaderboard,
  Listing,
  ListingState,
  RunListing,
} from '#shared/contract/board.ts'
import type { Estimate } from '#shared/contract/estimate.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import type { AppEnv } from '../app-env.ts'
import { mayDo, ownersOf } from '../auth/team-access.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { RunParams } from './parameters.ts'
import { isDemo } from './run-view.ts'

const BoardQuery = z.object({
  benchmark: z.string().max(60).optional(),
  profile: z.string().max(40).optional(),
  board: z.string().max(40).optional(),
  sort: z.enum(boardSorts).default('mean'),
  limit: queryInteger(1, 500).default(100),
})
const show = declareRoute({
  method: 'get',
  path: '/api/leaderboard',
  access: { who: 'anyone, more with a key' },
  cost: 'search',
  summary: 'Models compared on one benchmark revision and profile, by the mean or the best of their runs',
  description:
    'A board holds ended runs of one benchmark as it was asked (version, scorer, profile, data). A row is a model at a provider with its parameters, ' +
    'helpers and, where one worked at a terminal, its command. Ranked are runs that asked all items, as often as the profile says, got through their plan, and have at most 1 % failed trials; all others ' +
    'stand in `apart` with the reason. Failed trials count as in the run’s own score: as no answer, never as a wrong one. The best of several runs is ' +
    'higher than the model is: it is shown beside the mean and the number of runs, and the mean decides unless `sort=best`. Rows whose difference to the ' +
    'first of their group has a 95 % interval that holds zero share a rank; the interval is made of both rows’ limits for the expected score by adding ' +
    'squares, and is not corrected for many comparisons.',
  request: { query: BoardQuery },
  responses: { 200: json(Leaderboard, 'The board, and those there are'), ...refusals('validation', 'unauthorized', 'unavailable') },
})
const showListing = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/leaderboard',
  access: { who: 'owner of the run', scope: 'runs:read' },
  cost: 'cheap',
  summary: 'Where a run stands on the leaderboard, and whether it was withdrawn',
  description: 'A place for each of its benchmarks that has a score, also while the run is withdrawn. A run that has not ended has none.',
  request: { params: RunParams },
  responses: {
    200: json(RunListing, 'Its places'),
    ...refusals('unauthorized', 'forbidden', 'run-not-found', 'unavailable'),
  },
})
const list = declareRoute({
  method: 'put',
  audits: 'run.list',
  path: '/api/runs/{id}/leaderboard',
  access: { who: 'owner of the run', scope: 'runs:write', right: 'manage' },
  cost: 'cheap',
  summary: 'Withdraw a run from the leaderboard, or put it back',
  description:
    'Nothing of the run changes or is deleted. Its row goes on saying how many runs were withdrawn. A run that the operator withdrew only he puts back.',
  request: { params: RunParams, ...jsonBody(Listing) },
  responses: {
    200: json(ListingState, 'Whether it is listed'),
    ...refusals(
      'unauthorized',
      'forbidden',
      'run-not-found',
      'unavailable',
      'bad-json',
      'validation',
      'unsupported-media-type',
      'body-too-large',
    ),
  },
})

export function leaderboardRoutes(deps: Deps) {
  /** By benchmark and profile as they were named; only what some board fits comes in. */
  const lastShown = new Map<string, string>()
  return new OpenAPIHono<AppEnv>()
    .openapi(show, async (c) => {
      const viewers = ownersOf(c.get('principal'))
      const { sort, limit, ...wanted } = c.req.valid('query')
      const read = (id: string) => deps.store.readBoard(id, viewers, sort, limit)
      // A board that is named, or was shown last, is read beside the list, which says whether this viewer is shown it.
      const key = JSON.stringify([wanted.benchmark, wanted.profile])
      const likely = wanted.board === undefined ? lastShown.get(key) : Board.shape.id.safeParse(wanted.board).data
      const [stored, early] = await Promise.all([deps.store.listBoards(viewers), likely === undefined ? undefined : read(likely)])
      const boards = stored.map(toBoard)
      const board = chooseBoard(boards, wanted, deps.cards)
      const page = board === undefined ? nothing : early && board.id === likely ? early : await read(board.id)
      if (board && wanted.board === undefined) lastShown.set(key, board.id)
      const rows = page.rows.map((row) => toRow(row, viewers, deps))
      const ranks = ranksOf(rows, sort)
      const { total, withdrawn } = page
      const apart = page.apart.map((entry) => toApart(entry, viewers, deps))
      const ranked = rows.map((row, at) => ({ ...row, rank: ranks[at]! }))
      return c.json({ boards, board: board ?? null, sort, rows: ranked, total, apart, apart_total: board?.apart_runs ?? 0, withdrawn }, 200)
    })
    .openapi(showListing, async (c) => {
      const { run_id } = c.get('run').spec
      const [places, withdrawal] = await Promise.all([deps.store.listPlaces(run_id), deps.store.findWithdrawal(run_id)])
      return c.json({ listed: withdrawal === undefined, withdrawn: withdrawal ?? null, places }, 200)
    })
    .openapi(list, async (c) => {
      const run = c.get('run')
      const { run_id } = run.spec
      const by = mayDo(c.get('principal'), run.spec.owner_id, 'manage') ? ('owner' as const) : ('operator' as const)
      const { listed } = c.req.valid('json')
      const before = await deps.store.findWithdrawal(run_id)
      if (listed && by === 'owner' && before?.by === 'operator' && !c.get('principal').scopes.includes('admin'))
        throw new Problem('forbidden', 'The operator withdrew this run. Only he can put it back.')
      const stands = before && (by === 'owner' || before.by === 'operator')
      const withdrawn = listed ? null : stands ? before : { by, at: deps.now().toISOString() }
      await deps.store.withdrawRun(run_id, withdrawn)
      return c.json({ listed, withdrawn }, 200)
    })
}

/** Which files the data has is the run's to say. */
function toBoard({ data: { source, repo, revision }, ...board }: StoredBoard): Board {
  return { ...board, data: { source, repo, revision } }
}

const nothing: BoardPage = { rows: [], total: 0, apart: [], withdrawn: [] }

function toRow({ best, mean, ...row }: StoredBoardRow, viewers: readonly string[], deps: Deps): BoardRow {
  return {
    ...setupOf(best.asked),
    rank: 1,
    demo: isDemo(best.asked.provider, deps),
    runs: row.runs,
    unlisted_runs: row.unlisted,
    withdrawn_runs: row.withdrawn,
    failed: row.failed,
    total: row.total,
    mean: { estimate: meanEstimate(mean, { best, ...row }, best.estimate.n), cost_usd: mean.cost_usd, duration_ms: mean.duration_ms },
    best: toRun(best, viewers),
  }
}

/** The mean's limits come from those of the runs for the expected score, whose noise is independent: their squares add up. */
function meanEstimate(
  { value, below, above }: StoredBoardRow['mean'],
  { runs, total, failed }: Omit<StoredBoardRow, 'mean'>,
  n: number,
): Estimate {
  const method = runs === 1 ? 'the run’s limits for the expected score' : `mean of ${runs} runs, squares of their limits added`
  return { value, low: Math.max(0, value - below), high: Math.min(1, value + above), n, trials: total - failed, method, target: 'expected' }
}

function toApart(entry: StoredEntry, viewers: readonly string[], deps: Deps): ApartRun {
  const { asked, apart, status, sampled_items, total_items, planned_epochs } = entry
  const covered = { status, sampled_items, total_items, planned_epochs }
  return { ...setupOf(asked), reason: apart ?? 'unfinished', demo: isDemo(asked.provider, deps), ...covered, run: toRun(entry, viewers) }
}

function toRun(
  { run_id, estimate, cost_usd, duration_ms, failed, total, epochs, rescored, ended_at, owner_id }: StoredEntry,
  viewers: readonly string[],
): BoardRun {
  return { run_id, estimate, cost_usd, duration_ms, failed, total, epochs, rescored, mine: viewers.includes(owner_id), ended_at }
}

const setupOf = ({ model_id, model_slug, provider, params, roles, agent }: BoardSetup): BoardSetup => ({
  model_id,
  model_slug,
  provider,
  params,
  roles,
  ...(agent && { agent }),
})
