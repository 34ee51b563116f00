import { and, asc, count, desc, eq, gt, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { ItemQuery } from '#shared/contract/api.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import type { MetricRow } from '#shared/metrics/port.ts'
import { namedOpenings, unpackRecord } from '#shared/run/openings.ts'
import type { StreamRow } from '#shared/stream/stream-row.ts'
import type { Database } from '../connect.ts'
import { openings } from '../schema/openings.ts'
import { trialRecords, trials } from '../schema/trials.ts'
import type { FoundItem, ItemList, ItemSummary, StoredTrial, TrialPage } from '../store.ts'
import { knownRun } from './match.ts'
import { candidate, candidates, hitsAmong, type Listing, matching, mostHits } from './search.ts'
import { limitStatements } from './statement-limit.ts'
import { itemOrder, recordOfPage, weighedPage } from './weighed-page.ts'

type PackedTrial = Omit<StoredTrial, 'record'> & { record: PackedRecord }

/**
 * Trials with the whole prompts. `sent` are the openings that came in the same request; only where one is missing (the trial was tried again
 * in between) the database is asked once more.
 */
async function unpack(db: Database, run_id: string, packed: PackedTrial[], sent: Opening[]): Promise<StoredTrial[]> {
  const texts = new Map(sent.map(({ sha256, text }) => [sha256, text]))
  const missing = [...new Set(packed.flatMap(({ record }) => namedOpenings(record)))].filter((hash) => !texts.has(hash))
  const late =
    missing.length === 0
      ? []
      : await db
          .select(opening)
          .from(openings)
          .where(ofRun(run_id, inArray(openings.sha256, missing)))
  for (const { sha256, text } of late) texts.set(sha256, text)
  return packed.map(({ record, finished_at, seq }) => ({ record: unpackRecord(record, texts), finished_at, seq }))
}

type Opening = { sha256: string; text: string }
const opening = { sha256: openings.sha256, text: openings.text }
const ofRun = (run_id: string, and_: SQL) => and(eq(openings.run_id, knownRun(run_id)), and_)

/** The openings that the trials of a page name, for the request that reads these trials. */
function openingsOf(db: Database, run_id: string, page: SQLWrapper) {
  const named = sql`(select m.value->>'opening' from ${page}, json_array_elements(${recordOfPage(run_id)}->'messages') as m(value)
    where m.value->>'opening' is not null)`
  return db
    .select(opening)
    .from(openings)
    .where(ofRun(run_id, sql`${openings.sha256} in ${named}`))
}

/** A record as lists need it: of the messages the last one the user sent, of the evidence all but the reasoning. */
const listedRecord = (run_id: string) =>
  sql`(select jsonb_set(
  jsonb_set(jsonb_set(r.record, '{evidence,reasoning}', 'null', false), '{evidence,scoring_input}', 'null', false),
  '{messages}',
  coalesce((
    select jsonb_build_array(m.value) from jsonb_array_elements(r.record->'messages') with ordinality as m(value, place)
    where m.value->>'role' = 'user' order by m.place desc limit 1
  ), '[]')) from (select ${recordOfPage(run_id)}::jsonb as record) r)`.mapWith(trialRecords.record)

export async function listItems(
  db: Database,
  run_id: string,
  benchmark: string | null,
  query: ItemQuery,
  closed: readonly string[] = [],
): Promise<ItemList> {
  const listing = { run_id, filter: { ...query, benchmark: benchmark ?? undefined }, closed }
  const after = query.order === 'plan' ? query.after : undefined
  const hits = query.q ? await findHits(db, listing, { ...query, after }) : undefined
  const where = hits ? ofTrials(run_id, inArray(trials.ordinal, hits.ordinals)) : matching(run_id, listing.filter)
  const seek = after === undefined ? undefined : gt(trials.ordinal, after)
  // The page is found on narrow columns first; records are opened for its rows only.
  const page = weighedPage(db, and(where, seek), query.order, hits ? { limit: query.limit, offset: 0 } : query)
  const [, items, [counted], sent] = await db.batch([
    limitStatements(db),
    db
      .select({ record: listedRecord(run_id), finished_at: page.finished_at, seq: page.seq, followed: page.followed })
      .from(page)
      .orderBy(page.place),
    db.select({ total: count() }).from(trials).where(where),
    openingsOf(db, run_id, page),
  ])
  const { total, total_is } = hits ?? { total: counted?.total ?? 0, total_is: 'exact' as const }
  const next = items.at(-1)?.followed ? query.offset + items.length : null
  return { items: await unpack(db, run_id, items, sent), total, total_is, next }
}

const ofTrials = (run_id: string, and_: SQL) => and(eq(trials.run_id, knownRun(run_id)), and_)

type Hits = { total: number; ordinals: number[] }

/** How many hits of a search are known of, and those of a page with the one that follows it. */
async function findHits(db: Database, listing: Listing, { limit, offset, after, order }: ItemQuery) {
  const end = offset + limit
  const most = mostHits(end)
  const inOrder = itemOrder(order, candidate)
  const all = hitsAmong(listing, sql`true`, inOrder, most)
  const following = after === undefined ? sql`found` : hitsAmong(listing, sql`candidate.ordinal > ${after}`, inOrder, end + 1)
  const [, { rows }] = await db.batch([
    limitStatements(db),
    db.execute<Hits>(sql`with ${candidates(listing)}, found as materialized ${all}
      select (select count(*)::int from found) as total, array(
        select candidate.ordinal from ${following} as candidate order by ${sql.join(inOrder, sql`, `)} limit ${limit + 1} offset ${offset}
      ) as ordinals`),
  ])
  const { total, ordinals } = rows[0]! // a statement without a table gives one row
  return { total, ordinals, total_is: total < most ? ('exact' as const) : ('at-least' as const) }
}

const epochColumns = {
  epoch: trials.epoch,
  outcome: trials.outcome,
  score: trials.score,
  answer: trials.answer,
  failure: trials.failure,
  latency_ms: trials.latency_ms,
  output_tokens: trials.output_tokens,
}

export async function findItem(
  db: Database,
  run_id: string,
  benchmark: string,
  item_id: string,
  epoch: number,
  query: ItemQuery,
  closed: readonly string[] = [],
): Promise<FoundItem | undefined> {
  const self = and(
    eq(trials.run_id, knownRun(run_id)),
    eq(trials.benchmark, benchmark),
    eq(trials.item_id, item_id),
    eq(trials.epoch, epoch),
  )
  const { ordinal, finished_at, seq } = trials
  const page = db.select({ ordinal, finished_at, seq }).from(trials).where(self).as('page')
  const listing = { run_id, filter: { ...query, benchmark }, closed }
  const [, packed, sent, beside, epochs] = await db.batch([
    limitStatements(db),
    db.select({ record: recordOfPage(run_id), finished_at: page.finished_at, seq: page.seq }).from(page),
    openingsOf(db, run_id, page),
    db.execute<Beside>(readBeside(listing, sql`(${db.select({ ordinal: trials.ordinal }).from(trials).where(self)})`)),
    db
      .select(epochColumns)
      .from(trials)
      .where(and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark), eq(trials.item_id, item_id)))
      .orderBy(asc(trials.epoch)),
  ])
  const [trial] = await unpack(db, run_id, packed, sent)
  if (!trial) return undefined
  return { trial, ...beside.rows[0]!, epochs } // a statement without a table gives one row
}

type Beside = Pick<FoundItem, 'previous' | 'next'>

/** The names of the items on both sides of a place in the plan. */
function readBeside(listing: Listing, place: SQL): SQL {
  const nameOf = (hit: SQL) => sql`(select ${trials.item_id} || ':' || ${trials.epoch} from ${trials}
    where ${ofTrials(listing.run_id, sql`${trials.ordinal} = (select hit.ordinal from ${hit} as hit)`)})`
  return sql`with ${candidates(listing)}
    select ${nameOf(hitsAmong(listing, sql`candidate.ordinal < ${place}`, [desc(candidate.ordinal)], 1))} as previous,
      ${nameOf(hitsAmong(listing, sql`candidate.ordinal > ${place}`, [asc(candidate.ordinal)], 1))} as next`
}

export async function listTrials(db: Database, run_id: string, after_ordinal: number, limit: number): Promise<TrialPage> {
  const following = and(eq(trials.run_id, knownRun(run_id)), gt(trials.ordinal, after_ordinal))
  const page = weighedPage(db, following, 'plan', { limit, offset: 0 })
  const [packed, sent] = await db.batch([
    db
      .select({ record: recordOfPage(run_id), finished_at: page.finished_at, seq: page.seq, followed: page.followed })
      .from(page)
      .orderBy(page.place),
    openingsOf(db, run_id, page),
  ])
  const last = packed.at(-1)
  return { trials: await unpack(db, run_id, packed, sent), next: last?.followed ? last.record.ordinal : null }
}

export async function listMetricRows(db: Database, run_id: string, benchmark: string): Promise<MetricRow[]> {
  return db
    .select({
      item_id: trials.item_id,
      epoch: trials.epoch,
      group: trials.group_name,
      outcome: trials.outcome,
      score: trials.score,
      answer: trials.answer,
      flags: trials.flags,
      detail: sql<Record<string, unknown>>`${trials.detail}`,
      options: trials.options,
      latency_ms: trials.latency_ms,
      ttft_ms: trials.ttft_ms,
      stream: sql<StreamRow | null>`${trials.stream}`,
    })
    .from(trials)
    .where(and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark)))
    .orderBy(asc(trials.ordinal))
}

export async function countTrials(db: Database, run_id: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(trials)
    .where(eq(trials.run_id, knownRun(run_id)))
  return row?.total ?? 0
}

export async function summarise(db: Database, run_id: string, benchmark: string): Promise<ItemSummary> {
  const where = and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark))
  const outcomes = (outcome: string) => sql<number>`(count(*) filter (where ${trials.outcome} = ${outcome}))::int`
  const sum = (column: SQL | typeof trials.input_tokens) => sql<number>`coalesce(sum(${column}), 0)::float8`
  const message = sql<string>`${trials.failure}`
  const [[row], error_breakdown] = await db.batch([
    db
      .select({
        correct: outcomes('right'),
        incorrect: outcomes('wrong'),
        errors: outcomes('failed'),
        avg_latency_ms: sql<number | null>`avg(${trials.latency_ms})`,
        avg_ttft_ms: sql<number | null>`avg(${trials.ttft_ms})`,
        input_tokens: sum(trials.input_tokens),
        output_tokens: sql<number>`coalesce(sum(${trials.output_tokens}), 0)::float8`,
        cost_usd: sql<number | null>`sum(${trials.cost_usd})`,
      })
      .from(trials)
      .where(where),
    db
      .select({ message, count: count() })
      .from(trials)
      .where(and(where, sql`${trials.failure} is not null`))
      .groupBy(trials.failure)
      .orderBy(desc(count()), asc(trials.failure)),
  ])
  if (!row) throw new Error('an aggregate always has one row')
  return { ...row, error_breakdown }
}
