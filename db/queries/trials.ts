import { and, asc, count, desc, eq, gt, inArray, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { ItemQuery } from '#shared/contract/api.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import type { MetricRow } from '#shared/metrics/port.ts'
import { namedOpenings, unpackRecord } from '#shared/run/openings.ts'
import type { Database } from '../connect.ts'
import { openings } from '../schema/openings.ts'
import { trials } from '../schema/trials.ts'
import type { FoundItem, ItemSummary, StoredTrial } from '../store.ts'
import { contains, knownRun } from './match.ts'

const storedTrial = { record: trials.record, finished_at: trials.finished_at, seq: trials.seq }

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
  return packed.map((trial) => ({ ...trial, record: unpackRecord(trial.record, texts) }))
}

type Opening = { sha256: string; text: string }
const opening = { sha256: openings.sha256, text: openings.text }
const ofRun = (run_id: string, and_: SQL) => and(eq(openings.run_id, knownRun(run_id)), and_)

/** The openings that trials name, for the request that reads these trials; `places` gives their ordinals. */
function openingsOf(db: Database, run_id: string, places: SQL) {
  const named = sql`(select m.value->>'opening' from trials, jsonb_array_elements(trials.record->'messages') as m(value)
    where trials.run_id = ${knownRun(run_id)}::uuid and trials.ordinal in ${places} and m.value ? 'opening')`
  return db
    .select(opening)
    .from(openings)
    .where(ofRun(run_id, sql`${openings.sha256} in ${named}`))
}

/** A record as lists need it: of the messages the last one the user sent, of the evidence all but the reasoning. */
const listedRecord = sql`jsonb_set(
  jsonb_set(jsonb_set(${trials.record}, '{evidence,reasoning}', 'null', false), '{evidence,scoring_input}', 'null', false),
  '{messages}',
  coalesce((
    select jsonb_build_array(m.value) from jsonb_array_elements(${trials.record}->'messages') with ordinality as m(value, place)
    where m.value->>'role' = 'user' order by m.place desc limit 1
  ), '[]'))`.mapWith(trials.record)

/** How lists of items are ordered; the plan decides between equals. */
export const itemOrders = {
  plan: [asc(trials.ordinal)],
  finished: [desc(trials.finished_at), asc(trials.ordinal)],
  latency: [sql`${trials.latency_ms} desc nulls last`, asc(trials.ordinal)],
} as const satisfies Record<ItemQuery['order'], readonly SQL[]>

export async function listItems(
  db: Database,
  run_id: string,
  benchmark: string | null,
  query: ItemQuery,
  closed: readonly string[] = [],
): Promise<{ items: StoredTrial[]; total: number }> {
  const where = matching(run_id, benchmark, query, closed)
  const seek = query.order === 'plan' && query.after !== undefined ? gt(trials.ordinal, query.after) : undefined
  // The page is found on narrow columns first; records are opened for its rows only.
  const places = db
    .select({ ordinal: trials.ordinal })
    .from(trials)
    .where(and(where, seek))
    .orderBy(...itemOrders[query.order])
    .limit(query.limit)
    .offset(query.offset)
  const page = places.as('page')
  const [items, [counted], sent] = await db.batch([
    db
      .select({ ...storedTrial, record: listedRecord })
      .from(trials)
      .innerJoin(page, eq(trials.ordinal, page.ordinal))
      .where(eq(trials.run_id, knownRun(run_id)))
      .orderBy(...itemOrders[query.order]),
    db.select({ total: count() }).from(trials).where(where),
    openingsOf(db, run_id, sql`(${places})`),
  ])
  return { items: await unpack(db, run_id, items, sent), total: counted?.total ?? 0 }
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
  const place = sql`(${db.select({ ordinal: trials.ordinal }).from(trials).where(self)})`
  const where = matching(run_id, benchmark, query, closed)
  const name = { item_id: trials.item_id, epoch: trials.epoch }
  const [packed, sent, [previous], [next], epochs] = await db.batch([
    db.select(storedTrial).from(trials).where(self),
    openingsOf(db, run_id, place),
    db
      .select(name)
      .from(trials)
      .where(and(where, lt(trials.ordinal, place)))
      .orderBy(desc(trials.ordinal))
      .limit(1),
    db
      .select(name)
      .from(trials)
      .where(and(where, gt(trials.ordinal, place)))
      .orderBy(asc(trials.ordinal))
      .limit(1),
    db
      .select(epochColumns)
      .from(trials)
      .where(and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark), eq(trials.item_id, item_id)))
      .orderBy(asc(trials.epoch)),
  ])
  const [trial] = await unpack(db, run_id, packed, sent)
  if (!trial) return undefined
  const label = (row: { item_id: string; epoch: number } | undefined) => (row ? `${row.item_id}:${row.epoch}` : null)
  return { trial, previous: label(previous), next: label(next), epochs }
}

type Filter = { [K in 'outcome' | 'group' | 'flag' | 'failure' | 'epoch' | 'q']?: ItemQuery[K] | undefined }

/** The condition that a filter of items stands for. */
export function matching(run_id: string, benchmark: string | null, query: Filter, closed: readonly string[]): SQL | undefined {
  return and(
    eq(trials.run_id, knownRun(run_id)),
    benchmark === null ? undefined : eq(trials.benchmark, benchmark),
    query.outcome && eq(trials.outcome, query.outcome),
    query.group === undefined ? undefined : eq(trials.group_name, query.group),
    query.flag === undefined ? undefined : sql`${query.flag} = any(${trials.flags})`,
    query.failure === undefined ? undefined : eq(trials.failure, query.failure),
    query.epoch === undefined ? undefined : eq(trials.epoch, query.epoch),
    query.q ? mentions(query.q, closed) : undefined,
  )
}

/**
 * Searches ids always, and texts except in closed benchmarks: there a hit would tell what the text says. Of prompts what an item has to
 * itself is searched, not the worked examples that thousands share.
 */
function mentions(q: string, closed: readonly string[]): SQL | undefined {
  const inPrompt = sql`exists (select from jsonb_array_elements(${trials.record}->'messages') as m(value) where ${contains(sql`m.value->>'content'`, q)})`
  const inText = or(contains(trials.answer, q), contains(sql`${trials.record}->'evidence'->>'text'`, q), inPrompt)
  const open = closed.length > 0 ? notInArray(trials.benchmark, [...closed]) : undefined
  return or(contains(trials.item_id, q), contains(trials.source_id, q), and(open, inText))
}

export async function listTrials(db: Database, run_id: string, after_ordinal: number, limit: number): Promise<StoredTrial[]> {
  const following = and(eq(trials.run_id, knownRun(run_id)), gt(trials.ordinal, after_ordinal))
  const places = db.select({ ordinal: trials.ordinal }).from(trials).where(following).orderBy(asc(trials.ordinal)).limit(limit)
  const [packed, sent] = await db.batch([
    db.select(storedTrial).from(trials).where(following).orderBy(asc(trials.ordinal)).limit(limit),
    openingsOf(db, run_id, sql`(${places})`),
  ])
  return unpack(db, run_id, packed, sent)
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
      detail: sql<Record<string, unknown>>`coalesce(${trials.record}->'detail', '{}')`,
      options: trials.options,
      // From the record: a column's own number type could round, and whoever verifies computes from records.
      latency_ms: sql<number | null>`(${trials.record}->>'latency_ms')::float8`,
      ttft_ms: sql<number | null>`(${trials.record}->>'ttft_ms')::float8`,
    })
    .from(trials)
    .where(and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark)))
    .orderBy(asc(trials.ordinal))
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
