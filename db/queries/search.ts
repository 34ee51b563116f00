import { and, eq, lte, notInArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { ItemRowQuery } from '#shared/contract/item-rows.ts'
import { foldCase } from '#shared/run/search-text.ts'
import { trials, trialTexts } from '../schema/trials.ts'
import { gramsWithin } from './grams.ts'
import { contains, knownRun } from './match.ts'

type Filter = { [K in 'benchmark' | 'outcome' | 'group' | 'flag' | 'failure' | 'epoch' | 'q' | 'until']?: ItemRowQuery[K] | undefined }

/** What of a run is listed; in `closed` benchmarks a search looks at ids alone: there a hit would tell what the text says. */
export type Listing = { run_id: string; filter: Filter; closed: readonly string[] }

/** The part of a filter that items are counted by beside it. */
export function chosen(of: Record<'outcome' | 'flags' | 'failure', SQLWrapper>, filter: Filter): SQL | undefined {
  return and(
    filter.outcome && sql`${of.outcome} = ${filter.outcome}`,
    filter.flag === undefined ? undefined : sql`${of.flags} @> string_to_array(${filter.flag}, ',')`,
    filter.failure === undefined ? undefined : sql`${of.failure} = ${filter.failure}`,
  )
}

/** The condition that a filter of items stands for, but for its search. */
export function matching(run_id: string, filter: Filter): SQL | undefined {
  return and(
    eq(trials.run_id, knownRun(run_id)),
    filter.benchmark === undefined ? undefined : eq(trials.benchmark, filter.benchmark),
    chosen(trials, filter),
    filter.group === undefined ? undefined : eq(trials.group_name, filter.group),
    filter.epoch === undefined ? undefined : eq(trials.epoch, filter.epoch),
    filter.until === undefined ? undefined : lte(trials.seq, filter.until),
  )
}

const step = 1000

/** As many hits of a search are looked for where a page ends at `end`: by whole thousands, and one more, which says that the list goes on. */
export const mostHits = (end: number): number => Math.max(1, Math.ceil(end / step)) * step + 1

/** The columns of `candidate`, by which hits are ordered and counted. */
export const candidate = {
  ordinal: sql`candidate.ordinal`,
  finished_at: sql`candidate.finished_at`,
  latency_ms: sql`candidate.latency_ms`,
  cost_usd: sql`candidate.cost_usd`,
  output_tokens: sql`candidate.output_tokens`,
  score: sql`candidate.score`,
  outcome: sql`candidate.outcome`,
  flags: sql`candidate.flags`,
  failure: sql`candidate.failure`,
}

/**
 * The table expression `candidate` of what is listed: the trials that fit the filter and, where it searches, that may hold the words by the marks of
 * their texts. Which of those are hits only their texts say: `hitsAmong` looks into them.
 */
export function candidates({ run_id, filter, closed }: Listing): SQL {
  const { q } = filter
  const columns = sql`${trials.ordinal}, ${trials.finished_at}, ${trials.latency_ms}, ${trials.cost_usd}, ${trials.output_tokens}, ${trials.score},
    ${trials.outcome}, ${trials.flags}, ${trials.failure}, ${trials.seq}`
  if (!q) return sql`candidate as not materialized (select ${columns} from ${trials} where ${matching(run_id, filter)})`
  const part = foldCase(q)
  const grams = gramsWithin(part)
  // `is true` keeps the planner from a join: texts are scanned once into a hash, whatever it believes of a table that just grew.
  const likely = sql`(${trials.ordinal} in (select likely.ordinal from likely)) is true`
  const byId = closed.length === 0 ? undefined : or(contains(trials.item_id, q), contains(trials.source_id, q))
  return sql`likely as materialized (
      select x.ordinal from ${trialTexts} x where x.run_id = ${knownRun(run_id)}::uuid
        and (x.grams is null and strpos(x.search, ${part}) > 0 or x.grams & ${grams}::bit(4096) = ${grams}::bit(4096))
    ),
    candidate as (
      select ${columns} from ${trials}
      where ${and(matching(run_id, filter), byId ? or(byId, and(notInArray(trials.benchmark, [...closed]), likely)) : likely)}
    )`
}

/**
 * The first of the candidates that a search finds, in the given order, at most `most`: no further text is looked into. Without a search they are
 * the candidates themselves.
 */
export function hitsAmong({ run_id, filter: { q } }: Listing, where: SQL, order: SQL[] = [], most?: number): SQL {
  const inOrder = order.length === 0 ? sql.empty() : sql`order by ${sql.join(order, sql`, `)}`
  const limit = most === undefined ? sql.empty() : sql`limit ${most}`
  if (!q) return sql`(select * from candidate where ${where} ${inOrder} ${limit})`
  // `offset 0` keeps the planner from looking into texts before it has put them in order.
  return sql`(select candidate.* from (select * from candidate where ${where} ${inOrder} offset 0) as candidate
    where strpos((
      select x.search from ${trialTexts} x where x.run_id = ${knownRun(run_id)}::uuid and x.ordinal = candidate.ordinal
    ), ${foldCase(q)}) > 0 ${limit})`
}
