import { and, asc, count, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { ItemRow, ItemRowQuery } from '#shared/contract/item-rows.ts'
import { countItems } from '#shared/run/count-items.ts'
import type { Database } from '../connect.ts'
import { trials } from '../schema/trials.ts'
import type { ItemName, ItemPlace, ItemRowList } from '../store.ts'
import { knownRun } from './match.ts'
import { itemOrders, matching } from './trials.ts'

const short = (column: typeof trials.answer | typeof trials.expected) =>
  sql<string | null>`case when length(${column}) > 60 then left(${column}, 59) || '…' else ${column} end`

/** The item's own question where its metadata has one (worked examples make prompts begin alike), else how the last user message begins. */
const snippet = sql<string>`coalesce(left(regexp_replace(left(coalesce(
  ${trials.record} #>> '{item_metadata,question}', ${trials.record} #>> '{item_metadata,problem}', ${trials.record} #>> '{item_metadata,prompt}',
  (select m.value->>'content' from jsonb_array_elements(${trials.record}->'messages') with ordinality as m(value, place)
   where m.value->>'role' = 'user' order by m.place desc limit 1)
), 400), '\\s+', ' ', 'g'), 140), '')`

const row = {
  ordinal: trials.ordinal,
  benchmark: trials.benchmark,
  item_id: trials.item_id,
  epoch: trials.epoch,
  group: trials.group_name,
  outcome: trials.outcome,
  score: trials.score,
  answer: short(trials.answer),
  expected: short(trials.expected),
  flags: trials.flags,
  failure: trials.failure,
  latency_ms: trials.latency_ms,
  output_tokens: trials.output_tokens,
  snippet,
}

/** The page is found on narrow columns first, its rows' records are opened then; one pass over the run counts for all chips. */
export async function listItemRows(
  db: Database,
  run_id: string,
  query: ItemRowQuery,
  around: ItemName | null,
  closed: readonly string[] = [],
): Promise<ItemRowList> {
  const upTo = query.until === undefined ? undefined : lte(trials.seq, query.until)
  const benchmark = query.benchmark ?? null
  const where = and(matching(run_id, benchmark, query, closed), upTo)
  const place = around === null ? null : await findPlace(db, run_id, around, query.order, where)
  const offset = place === null ? query.offset : Math.floor(place.before / query.limit) * query.limit
  const open = { ...query, outcome: undefined, flag: undefined, failure: undefined }
  const page = db
    .select({ ordinal: trials.ordinal })
    .from(trials)
    .where(where)
    .orderBy(...itemOrders[query.order])
    .limit(query.limit)
    .offset(offset)
    .as('page')
  const [rows, groups] = await db.batch([
    db
      .select(row)
      .from(trials)
      .innerJoin(page, eq(trials.ordinal, page.ordinal))
      .where(eq(trials.run_id, knownRun(run_id)))
      .orderBy(...itemOrders[query.order]),
    db
      .select({
        outcome: trials.outcome,
        failure: trials.failure,
        flags: trials.flags,
        count: count(),
        until: sql<number>`max(${trials.seq})::float8`,
      })
      .from(trials)
      .where(and(matching(run_id, benchmark, open, closed), upTo))
      .groupBy(trials.outcome, trials.failure, trials.flags)
      .orderBy(asc(trials.outcome)),
  ])
  const until = groups.reduce((last, group) => Math.max(last, group.until), 0)
  return { rows: rows satisfies ItemRow[], offset, until, place, ...countItems(groups, query) }
}

/** How many of a list stand before an item, and whether it is in the list; an item without a result stands before all. */
async function findPlace(
  db: Database,
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
  const [found] = await db
    .select({
      before: sql<number>`(count(*) filter (where ${before}))::int`,
      listed: sql<boolean>`coalesce(bool_or(${trials.ordinal} = ${self.self_ordinal}), false)`,
    })
    .from(trials)
    .innerJoin(self, sql`true`)
    .where(where)
  return found ?? { before: 0, listed: false }
}
