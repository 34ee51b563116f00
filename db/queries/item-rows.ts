import { and, asc, count, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { ItemRow, ItemRowQuery } from '#shared/contract/item-rows.ts'
import { countItems } from '#shared/run/count-items.ts'
import type { Database } from '../connect.ts'
import { trials, trialTexts } from '../schema/trials.ts'
import type { ItemName, ItemPlace, ItemRowList } from '../store.ts'
import { knownRun } from './match.ts'
import { matching, type ReadFirst, withTexts } from './search.ts'
import { itemOrder } from './weighed-page.ts'

const short = (column: typeof trials.answer | typeof trials.expected) =>
  sql<string | null>`case when length(${column}) > 60 then left(${column}, 59) || '…' else ${column} end`

const listed = {
  ordinal: trials.ordinal,
  benchmark: trials.benchmark,
  item_id: trials.item_id,
  epoch: trials.epoch,
  group: trials.group_name,
  outcome: trials.outcome,
  score: trials.score,
  answer: short(trials.answer).as('short_answer'),
  expected: short(trials.expected).as('short_expected'),
  flags: trials.flags,
  failure: trials.failure,
  latency_ms: trials.latency_ms,
  output_tokens: trials.output_tokens,
}

/** Of a row of the subquery `page`. */
const snippetOfPage = (run_id: string) => sql<string>`coalesce((
  select x.snippet from ${trialTexts} x where x.run_id = ${knownRun(run_id)}::uuid and x.ordinal = page.ordinal), '')`

/** The page is found on narrow columns first, its rows' snippets are read then; one pass over the run counts for all chips. */
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
  const withoutChips = { ...query, outcome: undefined, flag: undefined, failure: undefined }
  const { rows, groups, offset, place } = await withTexts(db, run_id, query.q ? 'search' : 'snippets', async (searchable) => {
    const place = around === null ? null : await findPlace(db, searchable, run_id, around, query.order, where)
    const offset = place === null ? query.offset : Math.floor(place.before / query.limit) * query.limit
    const page = db
      .select({ ...listed, finished_at: trials.finished_at })
      .from(trials)
      .where(where)
      .orderBy(...itemOrder(query.order, trials))
      .limit(query.limit)
      .offset(offset)
      .as('page')
    const {
      ordinal,
      benchmark: name,
      item_id,
      epoch,
      group,
      outcome,
      score,
      answer,
      expected,
      flags,
      failure,
      latency_ms,
      output_tokens,
    } = page
    const [state, rows, groups] = await db.batch([
      searchable,
      db
        .select({
          ordinal,
          benchmark: name,
          item_id,
          epoch,
          group,
          outcome,
          score,
          answer,
          expected,
          flags,
          failure,
          latency_ms,
          output_tokens,
          snippet: snippetOfPage(run_id),
        })
        .from(page)
        .orderBy(...itemOrder(query.order, page)),
      countGroups(db, and(matching(run_id, benchmark, withoutChips, closed), upTo)),
    ])
    return { rows, groups, state, offset, place }
  })
  const until = groups.reduce((last, group) => Math.max(last, group.until), 0)
  return { rows: rows satisfies ItemRow[], offset, until, place, ...countItems(groups, query) }
}

const countGroups = (db: Database, where: SQL | undefined) =>
  db
    .select({
      outcome: trials.outcome,
      failure: trials.failure,
      flags: trials.flags,
      count: count(),
      until: sql<number>`max(${trials.seq})::float8`,
    })
    .from(trials)
    .where(where)
    .groupBy(trials.outcome, trials.failure, trials.flags)
    .orderBy(asc(trials.outcome))

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
