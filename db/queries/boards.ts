import { and, desc, eq, inArray, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import { BoardSetup, type BoardSort, type RunPlace } from '#shared/contract/board.ts'
import { Estimate } from '#shared/contract/estimate.ts'
import type { Database } from '../connect.ts'
import { boardEntries, boardRows, boards, withdrawals } from '../schema/boards.ts'
import { runs } from '../schema/runs.ts'
import type { BoardPage, StoredBoard, StoredBoardRow, StoredEntry, Withdrawal } from '../store.ts'
import { knownRun } from './match.ts'

const apartAtOnce = 50
type Seen = typeof boardEntries | typeof boardRows
const maySee = (table: Seen, viewers: readonly string[]): SQL =>
  or(table.public, viewers.length === 0 ? undefined : inArray(table.owner_id, [...viewers]))!
const listed = not(boardEntries.withdrawn)

const entry = {
  run_id: boardEntries.run_id,
  owner_id: boardEntries.owner_id,
  asked: boardEntries.asked,
  estimate: boardEntries.estimate,
  cost_usd: boardEntries.cost_usd,
  duration_ms: boardEntries.duration_ms,
  failed: boardEntries.failed,
  total: boardEntries.total,
  epochs: boardEntries.epochs,
  planned_epochs: boardEntries.planned_epochs,
  sampled_items: boardEntries.sampled_items,
  total_items: boardEntries.total_items,
  rescored: boardEntries.rescored,
  status: boardEntries.status,
  apart: boardEntries.apart,
  ended_at: boardEntries.ended_at,
}

/** Boards on which the viewers may see a run, those of a benchmark together, the newest revision first. */
export async function listBoards(db: Database, viewers: readonly string[]): Promise<StoredBoard[]> {
  const setups = db
    .select({
      board: boardRows.board,
      ranked: sql<number>`sum(${boardRows.runs})`.as('ranked'),
      apart: sql<number>`sum(${boardRows.apart})`.as('apart'),
    })
    .from(boardRows)
    .where(maySee(boardRows, viewers))
    .groupBy(boardRows.board, boardRows.setup)
    .as('setups')
  const sum = (column: SQL | SQL.Aliased) => sql<number>`sum(${column})::int`
  return db
    .select({
      ...{ id: boards.id, benchmark: boards.benchmark, version: boards.version, scorer_version: boards.scorer_version },
      ...{ profile: boards.profile, data: boards.data },
      models: sql<number>`(count(*) filter (where ${setups.ranked} > 0))::int`,
      ranked_runs: sum(setups.ranked),
      apart_runs: sum(setups.apart),
    })
    .from(setups)
    .innerJoin(boards, eq(boards.id, setups.board))
    .groupBy(boards.id)
    .having(sql`sum(${setups.ranked}) + sum(${setups.apart}) > 0`)
    .orderBy(boards.benchmark, desc(boards.version), desc(boards.scorer_version), boards.profile, boards.id)
}

/** The setups of a board by their best or mean run, and the runs that are not ranked, newest first. */
export async function readBoard(db: Database, id: string, viewers: readonly string[], sort: BoardSort, limit: number): Promise<BoardPage> {
  const isApart = and(eq(boardEntries.board, id), maySee(boardEntries, viewers), listed, isNotNull(boardEntries.apart))
  const mine = and(eq(boardEntries.board, id), inArray(boardEntries.owner_id, [...viewers]), boardEntries.withdrawn)
  const [{ rows }, apart, withdrawn] = await db.batch([
    db.execute(rowsOf(id, viewers, sort, limit)),
    db.select(entry).from(boardEntries).where(isApart).orderBy(desc(boardEntries.ended_at), boardEntries.run_id).limit(apartAtOnce),
    db
      .select({ run_id: boardEntries.run_id, asked: boardEntries.asked, by: withdrawals.by, at: withdrawals.at })
      .from(withdrawals)
      .innerJoin(boardEntries, eq(boardEntries.run_id, withdrawals.run_id))
      .where(mine)
      .orderBy(desc(withdrawals.at), withdrawals.run_id),
  ])
  return {
    rows: rows.map(toRow),
    total: Number(rows[0]?.setups ?? 0),
    apart,
    withdrawn: withdrawn.map(({ asked, ...one }) => ({ ...one, model_slug: asked.model_slug })),
  }
}

/**
 * A setup has a kept row of what everybody sees and one of each viewer's own; they are added up, and the best of their best runs is theirs.
 * Better: the higher score, then what cost less, took less time, ended later, as `keep_board_rows` (migration 0010) chooses it.
 */
function rowsOf(id: string, viewers: readonly string[], sort: BoardSort, limit: number): SQL {
  const best = sql`order by e.score desc nulls last, e.cost_usd nulls last, e.duration_ms nulls last, e.ended_at desc, e.run_id`
  const order = sql.raw(`c.${sort === 'mean' ? 'mean' : 'score'} desc, c.runs desc, c.best`)
  return sql`with setups as (
      select board_rows.setup, (array_agg(e.run_id ${best}))[1] as best, max(e.score) as score, sum(board_rows.score_sum) / sum(board_rows.runs) as mean,
        sum(board_rows.below) as below, sum(board_rows.above) as above, sum(board_rows.runs) as runs, coalesce(sum(board_rows.runs) filter (where not board_rows.public), 0) as unlisted,
        sum(board_rows.withdrawn) as withdrawn, sum(board_rows.failed) as all_failed, sum(board_rows.total) as all_total,
        case when bool_and(board_rows.cost_sum is not null) filter (where board_rows.runs > 0) then sum(board_rows.cost_sum) / sum(board_rows.runs) end as mean_cost,
        case when bool_and(board_rows.duration_sum is not null) filter (where board_rows.runs > 0) then sum(board_rows.duration_sum) / sum(board_rows.runs) end as mean_duration
      from ${boardRows} left join ${boardEntries} e on e.run_id = board_rows.best and e.board = board_rows.board
      where board_rows.board = ${id}::uuid and ${maySee(boardRows, viewers)}
      group by board_rows.setup having sum(board_rows.runs) > 0
    ), chosen as (
      select *, count(*) over () as setups from setups c order by ${order} limit ${limit}
    )
    select e.run_id, e.owner_id, e.asked, e.estimate, e.cost_usd, e.duration_ms, e.failed, e.total, e.epochs, e.planned_epochs, e.sampled_items,
      e.total_items, e.rescored, e.status, e.apart, e.ended_at, c.setups::int, c.mean, c.below, c.above, c.mean_cost, c.mean_duration,
      c.runs::int, c.unlisted::int, c.withdrawn::int, c.all_failed::int, c.all_total::int
    from chosen c join ${boardEntries} e on e.run_id = c.best and e.board = ${id}::uuid
    order by ${order}`
}

/** Neon's HTTP protocol brings columns of a raw statement as the database's types are read: `jsonb` opened, moments as text. */
function toRow(row: Record<string, unknown>): StoredBoardRow {
  const given = row as unknown as StoredEntry & Record<'mean' | 'below' | 'above', number> & Raw // columns of `rowsOf`
  const {
    setups: _,
    mean,
    below,
    above,
    mean_cost,
    mean_duration,
    runs: number,
    unlisted,
    withdrawn,
    all_failed,
    all_total,
    ...one
  } = given
  return {
    best: {
      ...one,
      asked: BoardSetup.parse(one.asked),
      estimate: Estimate.parse(one.estimate),
      ended_at: new Date(one.ended_at).toISOString(),
    },
    mean: {
      value: mean,
      below: Math.sqrt(below) / number,
      above: Math.sqrt(above) / number,
      cost_usd: mean_cost,
      duration_ms: mean_duration,
    },
    runs: number,
    unlisted,
    withdrawn,
    failed: all_failed,
    total: all_total,
  }
}
type Raw = Record<'setups' | 'runs' | 'unlisted' | 'withdrawn' | 'all_failed' | 'all_total', number> &
  Record<'mean_cost' | 'mean_duration', number | null>

/** Takes a run from the boards, or puts it back with null. The operator's word stands over the owner's, else the first one's. */
export async function withdrawRun(db: Database, run_id: string, withdrawal: Withdrawal | null): Promise<void> {
  const id = knownRun(run_id)
  const mark = db
    .update(boardEntries)
    .set({ withdrawn: withdrawal !== null })
    .where(eq(boardEntries.run_id, id))
  const lock = db.select({ id: runs.id }).from(runs).where(eq(runs.id, id)).for('no key update')
  const change = withdrawal
    ? db
        .insert(withdrawals)
        .values({ run_id: id, ...withdrawal })
        .onConflictDoUpdate({
          target: withdrawals.run_id,
          set: withdrawal,
          setWhere: sql`excluded.by = 'operator' and ${withdrawals.by} = 'owner'`,
        })
    : db.delete(withdrawals).where(eq(withdrawals.run_id, id))
  await db.batch([lock, change, mark])
}

/** Where the benchmarks of a run stand, withdrawn or not. */
export async function listPlaces(db: Database, run_id: string): Promise<RunPlace[]> {
  return db
    .select({ benchmark: boardEntries.benchmark, board: boardEntries.board, reason: boardEntries.apart })
    .from(boardEntries)
    .where(eq(boardEntries.run_id, knownRun(run_id)))
    .orderBy(boardEntries.benchmark)
}

export async function findWithdrawal(db: Database, run_id: string): Promise<Withdrawal | undefined> {
  const [found] = await db
    .select({ by: withdrawals.by, at: withdrawals.at })
    .from(withdrawals)
    .where(eq(withdrawals.run_id, knownRun(run_id)))
  return found
}
