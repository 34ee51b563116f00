import { type AnyColumn, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { ItemQuery } from '#shared/contract/api.ts'
import type { Database } from '../connect.ts'
import { trialRecords, trials } from '../schema/trials.ts'
import { knownRun } from './match.ts'

type Order = ItemQuery['order']

/** The column and the direction of each order by a measured value. Items without the value come last. */
export const measures = {
  latency: { column: 'latency_ms', first: 'largest' },
  cost: { column: 'cost_usd', first: 'largest' },
  tokens: { column: 'output_tokens', first: 'largest' },
  score: { column: 'score', first: 'smallest' },
} as const

type Ordering = 'ordinal' | 'finished_at' | (typeof measures)[keyof typeof measures]['column']

/** How lists of items are ordered; the plan decides between equals. */
export function itemOrder(order: Order, of: Record<Ordering, AnyColumn | SQL>): SQL[] {
  if (order === 'finished') return [desc(of.finished_at), asc(of.ordinal)]
  if (order === 'plan') return [asc(of.ordinal)]
  const { column, first } = measures[order]
  return [sql`${of[column]} ${sql.raw(first === 'largest' ? 'desc' : 'asc')} nulls last`, asc(of.ordinal)]
}

/** What the records or events of one page may weigh together, in characters of JSON; a heavier one is a page of its own. */
export const mostPerPage = 4_000_000

/**
 * The trials of one page: at most `limit`, and no more than weigh 4 MB together, but at least one. `followed` says of each whether the list goes
 * on after it. It is found on narrow columns alone: `recordOfPage` opens the records of its rows.
 */
export function weighedPage(db: Database, where: SQL | undefined, order: Order, { limit, offset }: { limit: number; offset: number }) {
  const found = db
    .select({
      ordinal: trials.ordinal,
      finished_at: trials.finished_at,
      latency_ms: trials.latency_ms,
      cost_usd: trials.cost_usd,
      output_tokens: trials.output_tokens,
      score: trials.score,
      seq: trials.seq,
      size: trials.record_size,
    })
    .from(trials)
    .where(where)
    .orderBy(...itemOrder(order, trials))
    .limit(limit + 1)
    .offset(offset)
    .as('found')
  const ordered = sql.join(itemOrder(order, found), sql`, `)
  const weighed = db
    .select({
      ordinal: found.ordinal,
      finished_at: found.finished_at,
      seq: found.seq,
      together: sql<number>`sum(${found.size}) over (order by ${ordered})`.as('together'),
      place: sql<number>`row_number() over (order by ${ordered})`.as('place'),
      all: sql<number>`count(*) over ()`.as('all_found'),
    })
    .from(found)
    .as('weighed')
  return db
    .select({
      ordinal: weighed.ordinal,
      finished_at: weighed.finished_at,
      seq: weighed.seq,
      place: weighed.place,
      followed: sql<boolean>`${weighed.all} > ${weighed.place}`.as('followed'),
    })
    .from(weighed)
    .where(sql`(${weighed.together} <= ${mostPerPage} or ${weighed.place} = 1) and ${weighed.place} <= ${limit}`)
    .as('page')
}

/**
 * Selects the packed record of a row of the subquery `page`, which must have `ordinal`. Names the columns
 * as text, since Drizzle omits the table in a query over one table.
 */
export const recordOfPage = (run_id: string) =>
  sql`(select r.record from ${trialRecords} r where r.run_id = ${knownRun(run_id)}::uuid and r.ordinal = page.ordinal)`.mapWith(
    trialRecords.record,
  )
