import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { ItemRow, ItemRowQuery } from '#shared/contract/item-rows.ts'
import { countItems, type ItemGroup } from '#shared/run/count-items.ts'
import type { Database } from '../connect.ts'
import { trials, trialTexts } from '../schema/trials.ts'
import type { ItemName, ItemPlace, ItemRowList } from '../store.ts'
import { knownRun } from './match.ts'
import { chosen, matching, type ReadFirst, withTexts } from './search.ts'
import { itemOrder } from './weighed-page.ts'

/** The columns of a row but its snippet, as they stand in the answer. */
const listed = sql`${trials.ordinal}, ${trials.benchmark}, ${trials.item_id}, ${trials.epoch}, ${trials.group_name} as "group", ${trials.outcome},
  ${trials.score}, ${short(trials.answer)} as answer, ${short(trials.expected)} as expected, ${trials.flags}, ${trials.failure},
  ${trials.latency_ms}, ${trials.output_tokens}`

function short(column: typeof trials.answer | typeof trials.expected): SQL {
  return sql`case when length(${column}) > 60 then left(${column}, 59) || '…' else ${column} end`
}

/** What a list is found, ordered and counted by. */
const found = {
  ordinal: sql`found.ordinal`,
  finished_at: sql`found.finished_at`,
  latency_ms: sql`found.latency_ms`,
  outcome: sql`found.outcome`,
  flags: sql`found.flags`,
  failure: sql`found.failure`,
}

/** The answer of `readList`. */
type Listed = { rows: ItemRow[]; groups: (ItemGroup & { until: number })[] }

/**
 * A page of rows and how many trials share an outcome, a failure and flags, in one statement. A search looks into the texts once for both; a
 * list without one is found for each by its indexes. Snippets are read for the rows of the page alone.
 */
function readList(run_id: string, where: SQL | undefined, query: ItemRowQuery, offset: number): SQL {
  const order = sql.join(itemOrder(query.order, found), sql`, `)
  const id = knownRun(run_id)
  return sql`with found as ${query.q ? sql`materialized` : sql`not materialized`} (
      select ${trials.ordinal}, ${trials.finished_at}, ${trials.latency_ms}, ${trials.outcome}, ${trials.flags}, ${trials.failure}, ${trials.seq}
      from ${trials} where ${where}
    ),
    page as (select * from found where ${chosen(found, query) ?? sql`true`} order by ${order} limit ${query.limit} offset ${offset})
    select (
      select coalesce(json_agg(one), '[]') from (
        select ${listed}, coalesce(${trialTexts.snippet}, '') as snippet
        from page as found join ${trials} on ${trials.run_id} = ${id}::uuid and ${trials.ordinal} = found.ordinal
          left join ${trialTexts} on ${trialTexts.run_id} = ${id}::uuid and ${trialTexts.ordinal} = found.ordinal
        order by ${order}
      ) as one
    ) as rows, (
      select coalesce(json_agg(same), '[]') from (
        select outcome, failure, flags, count(*)::int as count, max(seq) as until from found group by outcome, failure, flags order by outcome
      ) as same
    ) as groups`
}

/** The page is found on narrow columns first, its rows' snippets are read then; one pass over the run counts for all chips. */
export async function listItemRows(
  db: Database,
  run_id: string,
  query: ItemRowQuery,
  around: ItemName | null,
  closed: readonly string[] = [],
): Promise<ItemRowList> {
  const upTo = query.until === undefined ? undefined : lte(trials.seq, query.until)
  const { outcome: _outcome, flag: _flag, failure: _failure, ...others } = query
  const unchosen = and(matching(run_id, query.benchmark ?? null, others, closed), upTo)
  const { rows, groups, offset, place } = await withTexts(db, run_id, query.q ? 'search' : 'snippets', async (searchable) => {
    const where = and(unchosen, chosen(trials, query))
    const place = around === null ? null : await findPlace(db, searchable, run_id, around, query.order, where)
    const offset = place === null ? query.offset : Math.floor(place.before / query.limit) * query.limit
    const [state, answer] = await db.batch([searchable, db.execute<Listed>(readList(run_id, unchosen, query, offset))])
    return { ...answer.rows[0]!, state, offset, place } // a statement without a table gives one row
  })
  const until = groups.reduce((last, group) => Math.max(last, group.until), 0)
  return { rows, offset, until, place, ...countItems(groups, query) }
}

/** How many of a list stand before an item, and whether it is in the list; an item without a result stands before all. */
async function findPlace(
  db: Database,
  first: ReadFirst,
  run_id: string,
  { benchmark, item_id, epoch }: ItemName,
  order: ItemRowQuery['order'],
  where: SQL | undefined,
): Promise<ItemPlace> {
  const self = db
    .select({
      self_ordinal: sql<number>`${trials.ordinal}`.as('self_ordinal'),
      self_finished_at: sql<string>`${trials.finished_at}`.as('self_finished_at'),
      self_latency_ms: sql<number | null>`${trials.latency_ms}`.as('self_latency_ms'),
    })
    .from(trials)
    .where(and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark), eq(trials.item_id, item_id), eq(trials.epoch, epoch)))
    .as('self')
  const earlier = sql`${trials.ordinal} < ${self.self_ordinal}`
  const before = {
    plan: earlier,
    finished: sql`(${trials.finished_at} > ${self.self_finished_at} or (${trials.finished_at} = ${self.self_finished_at} and ${earlier}))`,
    latency: sql`case when ${self.self_latency_ms} is null then ${trials.latency_ms} is not null or ${earlier}
      else ${trials.latency_ms} > ${self.self_latency_ms} or (${trials.latency_ms} = ${self.self_latency_ms} and ${earlier}) end`,
  }[order]
  const [, [found]] = await db.batch([
    first,
    db
      .select({
        before: sql<number>`(count(*) filter (where ${before}))::int`,
        listed: sql<boolean>`coalesce(bool_or(${trials.ordinal} = ${self.self_ordinal}), false)`,
      })
      .from(trials)
      .innerJoin(self, sql`true`)
      .where(where),
  ])
  return found ?? { before: 0, listed: false }
}
