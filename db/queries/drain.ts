import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { isTerminal } from '#shared/contract/run.ts'
import { createPacker } from '#shared/run/openings.ts'
import type { Database } from '../connect.ts'
import { events } from '../schema/events.ts'
import { openings } from '../schema/openings.ts'
import { runs } from '../schema/runs.ts'
import { storableJson, storableJsonText } from '../storable.ts'
import type { DrainBatch, DrainOutcome, StoredTrial, WrittenTrial } from '../store.ts'
import { knownRun } from './match.ts'
import { headColumns } from './runs.ts'

/** Columns of `trials` beside `run_id`, each with where its value comes from: `t` is the entry, `r` the fields of its record. */
const columns = {
  finished_at: 't.finished_at',
  seq: 't.seq',
  score: 'r.score',
  latency_ms: 'r.latency_ms',
  ttft_ms: 'r.ttft_ms',
  cost_usd: 'r.cost_usd',
  ordinal: 'r.ordinal',
  epoch: 'r.epoch',
  attempt: 'r.attempt',
  input_tokens: `(r.usage->>'input_tokens')::int`,
  output_tokens: `(r.usage->>'output_tokens')::int`,
  cached_tokens: `(r.usage->>'cached_tokens')::int`,
  reasoning_tokens: `(r.usage->>'reasoning_tokens')::int`,
  options: `case jsonb_typeof(t.record #> '{item_metadata,options}') when 'array' then jsonb_array_length(t.record #> '{item_metadata,options}') end`,
  outcome: 'r.outcome',
  benchmark: 'r.benchmark',
  item_id: 'r.item_id',
  source_id: 'r.source_id',
  group_name: 'r."group"',
  answer: 'r.answer',
  expected: 'r.expected',
  failure: `(r.failure->>'at') || '/' || (r.failure->>'reason')`,
  flags: 'r.flags',
  record: 't.record',
} as const
const key = ['benchmark', 'item_id', 'epoch']
const names = Object.keys(columns)
const insertTarget = sql.raw(`trials (run_id, ${names.join(', ')})`)
const selected = sql.raw(Object.values(columns).join(', '))
const replaced = sql.raw(
  names
    .filter((name) => !key.includes(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
)
const opened = sql.raw(`jsonb_to_record(t.record) as r(
  ordinal int, attempt int, benchmark text, item_id text, epoch int, source_id text, "group" text, outcome trial_outcome, score float8,
  answer text, expected text, flags text[], failure jsonb, usage jsonb, cost_usd float8, latency_ms float8, ttft_ms float8)`)

/**
 * One request, one transaction, one JSON parameter for all trials: 500 rows at a time cost least (reference/throughput.md, 3).
 * The run's row is locked first, so two drains of one run cannot interleave, and an unknown run takes nothing.
 */
export async function drain(db: Database, batch: DrainBatch): Promise<DrainOutcome> {
  const run_id = knownRun(batch.run_id)
  const texts = new Map(batch.openings.map(({ sha256, text }) => [sha256, text]))
  const trials = newestAttempts(batch.trials.map((trial) => ('text' in trial ? entryOf(trial) : packedEntryOf(trial, texts))))
  const json = storableJsonText(`[${trials.map((entry) => entry.json).join(',')}]`)
  const found = db.select({ id: runs.id }).from(runs).where(eq(runs.id, run_id)).for('no key update')
  const setHead = db
    .update(runs)
    .set({ ...headColumns(batch.head), updated_at: sql`now()`, ...(isTerminal(batch.head.status) && { sealed_credential: null }) })
    .where(and(eq(runs.id, run_id), lte(runs.seq, batch.head.seq)))
  const [[known], , stored] = await db.batch([
    found,
    setHead,
    ...(trials.length > 0 ? [db.execute(insertTrials(run_id, json))] : []),
    ...(texts.size > 0 ? [db.execute(insertOpenings(run_id, texts))] : []),
    ...(batch.events.length > 0 ? [db.execute(insertEvents(run_id, batch))] : []),
  ])
  if (!known) throw new Error(`run ${batch.run_id} is not in the record: nothing of the batch was written`)
  if (trials.length === 0) return { written: 0, conflicts: [] }
  const written = (stored as { rowCount: number | null }).rowCount ?? 0 // what a raw statement of a batch gives back
  return { written, conflicts: written === trials.length ? [] : await findConflicts(db, run_id, json) }
}

type Entry = { trial: string; attempt: number; json: string }

const entryJson = (given: { finished_at: string; seq: number }, record: string): string =>
  `{"finished_at":${JSON.stringify(given.finished_at)},"seq":${given.seq},"record":${record}}`

function entryOf(given: WrittenTrial): Entry {
  return { trial: `${given.ordinal}`, attempt: given.attempt, json: entryJson(given, given.text) }
}

const pack = createPacker()

/** The entry of a record that was never packed; its openings join `texts`. */
function packedEntryOf(given: StoredTrial, texts: Map<string, string>): Entry {
  const { record, openings } = pack(given.record)
  for (const [sha256, text] of Object.entries(openings)) texts.set(sha256, text)
  const { benchmark, item_id, epoch, attempt } = record
  return { trial: `${benchmark}/${epoch}/${item_id}`, attempt, json: entryJson(given, JSON.stringify(record)) }
}

/** A statement may touch a row once: of several attempts at one trial only the last is sent. */
function newestAttempts(entries: Entry[]): Entry[] {
  const newest = new Map<string, Entry>()
  for (const entry of entries) {
    const other = newest.get(entry.trial)
    if (!other || other.attempt < entry.attempt) newest.set(entry.trial, entry)
  }
  return newest.size === entries.length ? entries : [...newest.values()]
}

function insertTrials(run_id: string, json: string): SQL {
  return sql`insert into ${insertTarget} select ${run_id}::uuid, ${selected}
    from jsonb_to_recordset(${json}::jsonb) as t(record jsonb, finished_at timestamptz, seq bigint), ${opened}
    where exists (select from runs where id = ${run_id}::uuid)
    on conflict (run_id, benchmark, item_id, epoch) do update set ${replaced} where trials.attempt < excluded.attempt`
}

function insertOpenings(run_id: string, texts: ReadonlyMap<string, string>): SQL {
  const rows = [...texts].map(([sha256, text]) => ({ sha256, text }))
  return sql`insert into ${openings} (run_id, sha256, text)
    select ${run_id}::uuid, o.* from jsonb_to_recordset(${storableJson(rows)}::jsonb) as o(sha256 text, text text)
    where exists (select from runs where id = ${run_id}::uuid)
    on conflict do nothing`
}

function insertEvents(run_id: string, batch: DrainBatch): SQL {
  return sql`insert into ${events} (run_id, id, event_type, benchmark_name, message, data, created_at)
    select ${run_id}::uuid, e.* from jsonb_to_recordset(${storableJson(batch.events)}::jsonb)
      as e(id int, event_type text, benchmark_name text, message text, data jsonb, created_at timestamptz)
    where exists (select from runs where id = ${run_id}::uuid)
    on conflict (run_id, id) do nothing`
}

/** Rows that were not written although their attempt is the stored one, and that say something else than what is stored. */
async function findConflicts(db: Database, run_id: string, json: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select s.benchmark || '/' || s.item_id || ':' || s.epoch as name
    from jsonb_to_recordset(${json}::jsonb) as t(record jsonb), ${opened}, trials s
    where s.run_id = ${run_id}::uuid and s.benchmark = r.benchmark and s.item_id = r.item_id and s.epoch = r.epoch
      and s.attempt = r.attempt and s.record <> t.record
    order by s.ordinal`)
  return rows.map((row) => row.name)
}
