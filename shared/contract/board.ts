import * as z from 'zod'
import { CommandAgent } from './command-agent.ts'
import { Estimate } from './estimate.ts'
import { Timestamp } from './ids.ts'
import { ModelParams } from './message.ts'
import { byRole } from './role.ts'
import { DataIdentity, RunStatus } from './run.ts'

/**
 * Why a run stands apart and is not ranked: it was canceled, asked a part of the items, asked them fewer times than its profile says, did not get
 * through its plan, or has more failed trials than a rank bears.
 */
export const apartReasons = ['canceled', 'subset', 'epochs', 'unfinished', 'failures'] as const
export const ApartReason = z.enum(apartReasons)
export type ApartReason = z.infer<typeof ApartReason>

/** Largest share of failed trials that a ranked run may have, whatever its own limit is. */
export const mostFailedShare = 0.01

export const boardSorts = ['mean', 'best'] as const
export type BoardSort = (typeof boardSorts)[number]

/** What makes scores comparable: the benchmark as it was asked, the scorer that read the answers, the profile and the data. */
export const Board = z.object({
  /** A hash in the form of a UUID. */
  id: z.guid(),
  benchmark: z.string(),
  version: z.int(),
  scorer_version: z.int(),
  profile: z.string(),
  data: DataIdentity.pick({ source: true, repo: true, revision: true }),
  models: z.int(),
  ranked_runs: z.int(),
  apart_runs: z.int(),
})
export type Board = z.infer<typeof Board>

/** What was asked: equal ones share a row. */
export const BoardSetup = z.object({
  model_id: z.string(),
  model_slug: z.string(),
  provider: z.string(),
  params: ModelParams,
  roles: byRole(z.object({ model: z.object({ slug: z.string(), provider: z.string() }) })),
  /** The command that worked with it; absent where none did. */
  agent: CommandAgent.optional(),
})
export type BoardSetup = z.infer<typeof BoardSetup>

/** One run on a board, with what it cost and how long it took for this benchmark. */
export const BoardRun = z.object({
  run_id: z.string(),
  estimate: Estimate,
  cost_usd: z.number().nullable(),
  duration_ms: z.number().nullable(),
  failed: z.int(),
  total: z.int(),
  epochs: z.int(),
  rescored: z.boolean(),
  mine: z.boolean(),
  ended_at: Timestamp,
})
export type BoardRun = z.infer<typeof BoardRun>

/** All ranked runs of one setup. */
export const BoardRow = BoardSetup.extend({
  rank: z.int().min(1),
  demo: z.boolean(),
  runs: z.int(),
  unlisted_runs: z.int(),
  withdrawn_runs: z.int(),
  failed: z.int(),
  total: z.int(),
  mean: z.object({ estimate: Estimate, cost_usd: z.number().nullable(), duration_ms: z.number().nullable() }),
  best: BoardRun,
})
export type BoardRow = z.infer<typeof BoardRow>

/** A run that is not ranked, with what it covered. */
export const ApartRun = BoardSetup.extend({
  reason: ApartReason,
  demo: z.boolean(),
  status: RunStatus,
  sampled_items: z.int(),
  total_items: z.int(),
  planned_epochs: z.int(),
  run: BoardRun,
})
export type ApartRun = z.infer<typeof ApartRun>

/** An own run that its owner or the operator took from the boards. */
export const WithdrawnRun = z.object({ run_id: z.string(), model_slug: z.string(), by: z.enum(['owner', 'operator']), at: Timestamp })
export type WithdrawnRun = z.infer<typeof WithdrawnRun>

/** `GET /api/leaderboard`. `board` is the one that is shown, null where nothing has ended; `boards` are those there are to choose from. */
export const Leaderboard = z.object({
  boards: z.array(Board),
  board: Board.nullable(),
  sort: z.enum(boardSorts),
  rows: z.array(BoardRow),
  total: z.int(),
  apart: z.array(ApartRun),
  apart_total: z.int(),
  withdrawn: z.array(WithdrawnRun),
})
export type Leaderboard = z.infer<typeof Leaderboard>

/** Where a benchmark of a run stands on the leaderboard; `reason` is null where it may be ranked. */
export const RunPlace = z.object({ benchmark: z.string(), board: z.guid(), reason: ApartReason.nullable() })
export type RunPlace = z.infer<typeof RunPlace>

/** Body and answer of `PUT /api/runs/{id}/leaderboard`. */
export const Listing = z.strictObject({ listed: z.boolean() })
export const ListingState = z.object({ listed: z.boolean(), withdrawn: WithdrawnRun.pick({ by: true, at: true }).nullable() })
export type ListingState = z.infer<typeof ListingState>

/** `GET /api/runs/{id}/leaderboard`. */
export const RunListing = ListingState.extend({ places: z.array(RunPlace) })
export type RunListing = z.infer<typeof RunListing>
