import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { ItemRow, ItemRowQuery } from '#shared/contract/item-rows.ts'
import { countItems, type ItemGroup } from '#shared/run/count-items.ts'
import type { Database } from '../connect.ts'
import { trials, trialTexts } from '../schema/trials.ts'
import type { ItemName, ItemPlace, ItemRowList } from '../store.ts'
import { knownRun } from './match.ts'
import { candidate, candidates, chosen, hitsAmong, type Listing, mostHits } from './search.ts'
import { limitStatements } from './statement-limit.ts'
import { itemOrder, measures } from './weighed-page.ts'

/** The columns of a row but its snippet, as they stand in the answer. */
const listed = sql`${trials.ordinal}, ${trials.benchmark}, ${trials.item_id}, ${trials.source_id}, ${trials.epoch}, ${trials.group_name} as "group", ${trials.outcome},
  ${trials.score}, ${short(trials.answer)} as answer, ${short(trials.expected)} as expected, ${trials.flags}, ${trials.failure},
  ${trials.latency_ms}, ${trials.output_tokens}, ${trials.cost_usd}`

function short(column: typeof trials.answer | typeof trials.expected): SQL {
  return sql`case when length(${column}) > 60 then left(${column}, 59) || '…' else ${column} end`
}

/** The answer of `readList`. */
type Listed = { rows: ItemRow[]; groups: (ItemGroup & { until: number })[] }

/**
 * What is found of a search: the hits in order, as far as `most`, and beside them those that chips count and the chosen filter leaves out, as far as
 * a first page goes. What is shown of a list without one is found by its indexes.
 */
function findListed(listing: Listing, query: ItemRowQuery, most: number): SQL {
  const listed = candidates(listing)
  const fits = chosen(candidate, query)
  if (!query.q) return sql`${listed}, found as not materialized (select * from candidate)`
  const order = itemOrder(query.order, candidate)
  const beside = fits && sql`union all ${hitsAmong(listing, sql`(${fits}) is not true`, order, mostHits(0))}`
  return sql`${listed}, found as materialized (${hitsAmong(listing, fits ?? sql`true`, order, most)} ${beside ?? sql.empty()})`
}

/** The columns of table `table` that decide the order of items. */
const orderedBy = (table: 'found' | 'candidate' | 'self') => {
  const column = (name: string) => sql.raw(`${table}.${name}`)
  return {
    ...{ ordinal: column('ordinal'), finished_at: column('finished_at'), latency_ms: column('latency_ms') },
    ...{ cost_usd: column('cost_usd'), output_tokens: column('output_tokens'), score: column('score') },
  }
}

/**
 * A page of rows and how many trials share an outcome, a failure and flags, in one statement. A search looks into the texts once for both; a
 * list without one is found for each by its indexes. Snippets are read for the rows of the page alone.
 */
function readList(listing: Listing, query: ItemRowQuery, offset: number, most: number): SQL {
  const order = sql.join(itemOrder(query.order, orderedBy('found')), sql`, `)
  const id = knownRun(listing.run_id)
  const fits = chosen({ outcome: sql`found.outcome`, flags: sql`found.flags`, failure: sql`found.failure` }, query)
  // Hits that were not looked for belong to the list as well: all that may be one say up to which event it goes.
  const until = query.q ? sql`(select max(seq) from candidate)` : sql`max(seq)`
  return sql`with ${findListed(listing, query, most)},
    page as (select * from found where ${fits ?? sql`true`} order by ${order} limit ${query.limit} offset ${offset})
    select (
      select coalesce(json_agg(one), '[]') from (
        select ${listed}, coalesce(${trialTexts.snippet}, '') as snippet
        from page as found join ${trials} on ${trials.run_id} = ${id}::uuid and ${trials.ordinal} = found.ordinal
          left join ${trialTexts} on ${trialTexts.run_id} = ${id}::uuid and ${trialTexts.ordinal} = found.ordinal
        order by ${order}
      ) as one
    ) as rows, (
      select coalesce(json_agg(same), '[]') from (
        select outcome, failure, flags, count(*)::int as count, ${until} as until from found group by outcome, failure, flags order by outcome
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
  const { outcome: _outcome, flag: _flag, failure: _failure, ...others } = query
  const listing = { run_id, filter: others, closed }
  const place = around === null ? null : await findPlace(db, { run_id, filter: query, closed }, around, query.order)
  const offset = place === null ? query.offset : Math.floor(place.before / query.limit) * query.limit
  const most = mostHits(offset + query.limit)
  const [, answer] = await db.batch([limitStatements(db), db.execute<Listed>(readList(listing, query, offset, most))])
  const { rows, groups } = answer.rows[0]! // a statement without a table gives one row
  const until = groups.reduce((last, group) => Math.max(last, group.until), 0)
  const { total, counts } = countItems(groups, query)
  const beside = groups.reduce((sum, group) => sum + group.count, -total)
  const total_is = query.q && total >= most ? 'at-least' : 'exact'
  const counts_are = query.q && beside >= mostHits(0) ? 'at-least' : total_is
  return { rows, offset, until, place, total, total_is, counts, counts_are }
}

/** SQL condition: the row `candidate` comes before the row `self`. `earlier` decides between equal values. */
function earlierIn(order: ItemRowQuery['order'], earlier: SQL): SQL {
  if (order === 'plan') return earlier
  const [candidate, self] = [orderedBy('candidate'), orderedBy('self')]
  const { column, first } = order === 'finished' ? ({ column: 'finished_at', first: 'largest' } as const) : measures[order]
  const [mine, other] = [self[column], candidate[column]]
  return sql`case when ${mine} is null then ${other} is not null or ${earlier}
    else ${other} ${sql.raw(first === 'largest' ? '>' : '<')} ${mine} or (${other} = ${mine} and ${earlier}) end`
}

/** How many of a list stand before an item, and whether it is in the list; an item without a result stands before all. */
async function findPlace(
  db: Database,
  listing: Listing,
  { benchmark, item_id, epoch }: ItemName,
  order: ItemRowQuery['order'],
): Promise<ItemPlace> {
  const self = and(
    eq(trials.run_id, knownRun(listing.run_id)),
    eq(trials.benchmark, benchmark),
    eq(trials.item_id, item_id),
    eq(trials.epoch, epoch),
  )
  const earlier = sql`candidate.ordinal < self.ordinal`
  const before = earlierIn(order, earlier)
  const [, { rows }] = await db.batch([
    limitStatements(db),
    db.execute<ItemPlace>(sql`with ${candidates(listing)}
      select (select count(*)::int from ${hitsAmong(listing, before)} as hits) as before,
        exists(select from ${hitsAmong(listing, sql`candidate.ordinal = self.ordinal`)} as hits) as listed
      from (select ${trials.ordinal}, ${trials.finished_at}, ${trials.latency_ms}, ${trials.cost_usd}, ${trials.output_tokens}, ${trials.score}
        from ${trials} where ${self}) as self`),
  ])
  return rows[0] ?? { before: 0, listed: false }
}
